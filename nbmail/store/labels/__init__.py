"""Labels, their learning order, journal and undo."""
