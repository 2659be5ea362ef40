"""Messages of the list, filtered and sorted in numpy. No Qt."""
