"""What `flask --app app` and the server load."""

from raisesum import create_app

app = create_app()
