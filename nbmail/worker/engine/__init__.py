"""The engine thread: its queue of jobs, its commands, its events."""
