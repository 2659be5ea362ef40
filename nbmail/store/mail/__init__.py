"""Messages: heads, words, places, raw mail, and what servers are still to be told."""
