"""Mail and requests of the accounts."""
