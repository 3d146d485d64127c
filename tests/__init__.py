"""Tests of everything; a real package, so that no dependency's own `tests` can take its place."""
