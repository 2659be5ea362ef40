"""Quality of the model on the labels of the user."""
