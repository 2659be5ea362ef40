"""How good a method is on given mail."""
