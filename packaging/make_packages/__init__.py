"""Builds the packages of a release into dist/, each byte-identical when built twice from one
commit.
"""
