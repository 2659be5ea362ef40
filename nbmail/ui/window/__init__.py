"""The main window: its parts, built and connected."""
