"""Why a message has its score."""
