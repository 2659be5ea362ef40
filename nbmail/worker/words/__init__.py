"""Single words of the model, and simulations."""
