"""The program with its window: creates the parts of other packages and connects them."""
