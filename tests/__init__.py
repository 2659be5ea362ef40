"""Tests of nbmail: each folder mirrors a room."""
