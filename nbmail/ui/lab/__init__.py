"""The laboratory in the window: methods, their parameters, curves, posteriors, cost tables."""
