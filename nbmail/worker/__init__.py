"""The engine thread: it alone owns the store and the model. Commands in, events out."""
