"""Engines other than the one that `make test` drives: a match in Firefox and in WebKitGTK."""
