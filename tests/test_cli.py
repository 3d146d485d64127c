"""What `serve` says about where it is, before it serves."""

from __future__ import annotations

import pytest
from flask import Flask
from flask.testing import FlaskCliRunner

from raisesum import config, serving
from tests.servers import free_port

EVERYWHERE = config.WILDCARD_ADDRESSES[0]


@pytest.mark.parametrize(
    ("host", "machine", "here", "said"),
    [
        (
            EVERYWHERE,
            "192.0.2.7",
            "localhost",
            "For other devices on the network: http://192.0.2.7",
        ),
        (EVERYWHERE, None, "localhost", "Other devices cannot reach it: this computer is in no ne"),
        ("127.0.0.1", "192.0.2.7", "127.0.0.1", None),
    ],
)
def test_addresses_are_printed_that_can_be_opened_whichever_way_the_host_was_told(
    app: Flask,
    runner: FlaskCliRunner,
    monkeypatch: pytest.MonkeyPatch,
    host: str,
    machine: str | None,
    here: str,
    said: str | None,
) -> None:
    monkeypatch.setattr(config, "own_address", lambda: machine)
    monkeypatch.setattr(serving, "serve", lambda address, workers: None)
    monkeypatch.setenv("RAISESUM_INSTANCE_PATH", app.config["INSTANCE_PATH"])
    port = str(free_port())
    for environment, options in (({"HOST": host}, []), ({}, ["--host", host])):
        # The command tells its workers by it.
        monkeypatch.setenv("RAISESUM_HOST", "")
        result = runner.invoke(args=["serve", "--port", port, *options], env=environment)
        first, *more = result.stdout.splitlines()
        assert first == f"Raise the Sum is at http://{here}:{port} (2 workers). Ctrl-C stops it."
        assert [line.startswith(str(said)) for line in more] == ([] if said is None else [True])
