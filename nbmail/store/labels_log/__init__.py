"""`labels.log`, the second copy of all labels as text: written, compared, read."""
