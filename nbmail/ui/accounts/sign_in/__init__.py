"""Sign-in of an account at its provider, or with a password."""
