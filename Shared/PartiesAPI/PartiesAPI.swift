// PartiesAPI
