"""The model out to files and in from them."""
