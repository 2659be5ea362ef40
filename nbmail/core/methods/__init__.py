"""From counts to scores: the interface of methods, and the default method."""
