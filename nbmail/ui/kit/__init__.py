"""What all parts of the window are made of."""
