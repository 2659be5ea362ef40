"""Suggestions of folders, by a model whose classes are the folders."""
