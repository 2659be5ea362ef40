"""The window about the model: how good it is, its words and methods, what taught it, and a new beginning."""
