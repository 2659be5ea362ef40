"""How good the model is on one's own mail, and a choice between methods."""
