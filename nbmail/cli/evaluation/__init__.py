"""Parts of `nbmail evaluate`."""
