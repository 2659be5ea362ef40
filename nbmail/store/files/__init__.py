"""The files of a home: the database, its lock, arrays."""
