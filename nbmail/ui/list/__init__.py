"""The mail list."""
