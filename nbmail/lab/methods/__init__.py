"""The methods of the lectures, one a module. `registry` lists them by name."""
