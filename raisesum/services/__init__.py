"""The use cases. Nothing here knows of HTTP: no request, no session, no `import flask`.

A service that changes something does it in one `transactions.write_transaction()`, and raises
an error with a plain sentence when it may not.
"""
