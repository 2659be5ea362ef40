"""Mail in files that belong to no mailbox."""
