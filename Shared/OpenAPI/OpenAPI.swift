// OpenAPI
