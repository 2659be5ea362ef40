"""Messages that a command line names: their files, classes and tokens."""
