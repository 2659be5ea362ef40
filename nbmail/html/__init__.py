"""HTML pages from strangers: their tags, and the text that styles hide."""
