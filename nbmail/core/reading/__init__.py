"""Raw mail to words, facts and measures."""
