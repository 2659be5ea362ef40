"""The engine thread and its queue of jobs."""
