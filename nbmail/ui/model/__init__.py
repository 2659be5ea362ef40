"""Window about the model: accuracy, words, methods, marks and model files."""
