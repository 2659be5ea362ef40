"""Sidebar: smart lists, accounts and folders."""
