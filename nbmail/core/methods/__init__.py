"""Methods: from counts to scores. `registry` lists all by name."""
