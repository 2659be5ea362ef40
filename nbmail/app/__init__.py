"""The program with its window: the only room that knows all others."""
