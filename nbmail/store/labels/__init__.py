"""Labels, their order, the journal, undo."""
