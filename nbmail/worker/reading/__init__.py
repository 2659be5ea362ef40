"""Single messages: text, files, reasons, and fetching what is not cached."""
