"""The engine thread, which alone owns the store and the model: requests in, events out."""
