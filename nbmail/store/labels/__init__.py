"""Labels, learning order, journal, undo and `labels.log`."""
