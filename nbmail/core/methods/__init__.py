"""Methods: from counts to scores. One small module each, `registry` knows them all by name."""
