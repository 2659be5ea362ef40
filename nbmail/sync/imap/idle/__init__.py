"""Notification of changes by IDLE, in all watched folders."""
