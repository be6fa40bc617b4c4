// Parties
