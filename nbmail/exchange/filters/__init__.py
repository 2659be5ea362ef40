"""Model files of other filters: a module for each program, and the words that nbmail shares."""
