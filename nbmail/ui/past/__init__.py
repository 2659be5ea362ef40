"""What nbmail has learned, and the way back."""
