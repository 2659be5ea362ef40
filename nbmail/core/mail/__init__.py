"""From raw bytes to parsed messages."""
