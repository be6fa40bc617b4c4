// SportsAPI
