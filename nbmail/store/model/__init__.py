"""The model on the disk: a snapshot of what the labels make, and the word ids of all messages."""
