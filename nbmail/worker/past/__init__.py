"""Questions to the past."""
