"""The laboratory: the methods of the lectures, and how they compare. Loaded only when used."""
