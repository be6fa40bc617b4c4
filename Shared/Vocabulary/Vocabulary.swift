// Vocabulary
