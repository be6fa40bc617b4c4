// MadangClient
