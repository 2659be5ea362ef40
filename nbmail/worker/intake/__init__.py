"""Mail that comes in, and what accounts ask for."""
