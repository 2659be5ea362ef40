"""Stored data: messages, labels, journal, model, outbox and cached mail. The only package with SQL."""
