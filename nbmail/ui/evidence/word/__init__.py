"""Window for one word."""
