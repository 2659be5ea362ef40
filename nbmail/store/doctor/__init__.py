"""The check-up of a home."""
