"""nbmail sorts your mail with a Naive Bayes model that you train by sorting it, and shows why."""
