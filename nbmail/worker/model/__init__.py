"""The model in use: method, updates, import and export."""
