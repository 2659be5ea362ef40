"""Model on disk: snapshot, imported counts and the word ids of all messages."""
