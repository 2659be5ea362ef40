"""Questions about single words, and about what would be otherwise."""
