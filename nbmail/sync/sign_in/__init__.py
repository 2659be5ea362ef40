"""Sign-in with OAuth 2: no password reaches nbmail, only tokens that can be revoked."""
