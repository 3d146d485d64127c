import os
import socket
import stat
import subprocess
import sys
from pathlib import Path

import pytest

from raisesum.config import ConfigurationError, load
from tests.servers import ROOT, clean_environment

START = """
import os
os.umask(0)
from flask_migrate import upgrade
from raisesum import create_app
app = create_app()
with app.app_context():
    upgrade()
print(app.secret_key)
"""


def mode(path: Path) -> int:
    return stat.S_IMODE(path.stat().st_mode)


def start(instance: Path) -> subprocess.Popen[str]:
    return subprocess.Popen(
        [sys.executable, "-c", START],
        cwd=ROOT,
        env=clean_environment(RAISESUM_INSTANCE_PATH=str(instance)),
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )


def test_workers_that_start_at_once_agree_on_one_key_and_one_database(tmp_path: Path) -> None:
    instance = tmp_path / "instance"
    workers = [start(instance) for _ in range(6)]
    answers = [worker.communicate(timeout=120) for worker in workers]
    assert [worker.returncode for worker in workers] == [0] * 6, answers
    keys = {out.strip() for out, _ in answers}
    assert len(keys) == 1
    assert len(keys.pop()) >= 32
    assert not list(instance.glob(".secret_key-*"))


def test_what_is_kept_is_private_whatever_the_umask(tmp_path: Path) -> None:
    instance = tmp_path / "instance"
    worker = start(instance)
    _, errors = worker.communicate(timeout=120)
    assert worker.returncode == 0, errors
    assert mode(instance) == 0o700
    assert {path.name: mode(path) for path in instance.iterdir()} == {
        path.name: 0o600 for path in instance.iterdir()
    }
    assert {"secret_key", "raisesum.db"} <= {path.name for path in instance.iterdir()}


def test_a_lax_instance_folder_is_tightened(tmp_path: Path) -> None:
    for name in ("secret_key", "raisesum.db"):
        (tmp_path / name).write_text("k" * 40 if name == "secret_key" else "")
        (tmp_path / name).chmod(0o644)
    tmp_path.chmod(0o755)
    load({"INSTANCE_PATH": tmp_path}, {})
    assert mode(tmp_path) == 0o700
    assert mode(tmp_path / "secret_key") == mode(tmp_path / "raisesum.db") == 0o600


def test_the_key_stays_the_same_from_start_to_start(tmp_path: Path) -> None:
    first = load({"INSTANCE_PATH": tmp_path}, {})["SECRET_KEY"]
    assert load({"INSTANCE_PATH": tmp_path}, {})["SECRET_KEY"] == first


def test_a_damaged_key_file_is_refused_and_not_replaced(tmp_path: Path) -> None:
    (tmp_path / "secret_key").write_text("short")
    with pytest.raises(ConfigurationError, match="at least 32 characters"):
        load({"INSTANCE_PATH": tmp_path}, {})
    assert (tmp_path / "secret_key").read_text() == "short"


def test_settings_come_from_the_mapping_then_the_longer_then_the_shorter_name(
    tmp_path: Path,
) -> None:
    environ = {
        "INSTANCE_PATH": str(tmp_path),
        "BOT_DELAY_MS": "1",
        "RAISESUM_BOT_DELAY_MS": "2",
        "TRUSTED_PROXIES": "1",
    }
    assert load({}, environ)["BOT_DELAY_MS"] == 2
    assert load({"BOT_DELAY_MS": 3}, environ)["BOT_DELAY_MS"] == 3
    assert load({}, environ)["TRUSTED_PROXIES"] == 1
    assert load({"INSTANCE_PATH": tmp_path}, {})["BOT_DELAY_MS"] == 1000


@pytest.mark.parametrize("value", ["-1", "1.5", "soon", "9" * 5000, "60001", "²"])
def test_a_delay_that_is_none_is_refused_by_name(tmp_path: Path, value: str) -> None:
    with pytest.raises(ConfigurationError, match="BOT_DELAY_MS"):
        load({"INSTANCE_PATH": tmp_path, "BOT_DELAY_MS": value}, {})


@pytest.mark.parametrize("url", ["sqlite://", "sqlite:///:memory:", "sqlite:///file:x?uri=true"])
def test_a_database_in_memory_is_refused(tmp_path: Path, url: str) -> None:
    with pytest.raises(ConfigurationError, match="must name a file"):
        load({"INSTANCE_PATH": tmp_path, "DATABASE_URL": url}, {})


def test_what_was_loaded_can_be_loaded_again(tmp_path: Path) -> None:
    once = load({"INSTANCE_PATH": tmp_path, "PUBLIC_TABLES": "0"}, {})
    assert load(once, {}) == once


@pytest.mark.parametrize("url", ["mysql://db/raisesum", "postgresql+asyncpg://db/raisesum"])
def test_another_kind_of_database_is_refused(tmp_path: Path, url: str) -> None:
    with pytest.raises(ConfigurationError, match="must be SQLite's or PostgreSQL's"):
        load({"INSTANCE_PATH": tmp_path, "DATABASE_URL": url}, {})


def test_a_refused_address_of_a_database_is_not_repeated(tmp_path: Path) -> None:
    with pytest.raises(ConfigurationError) as refused:
        load({"INSTANCE_PATH": tmp_path, "DATABASE_URL": "user:secret at nowhere"}, {})
    assert "secret" not in str(refused.value)


def test_hosts_are_this_machine_s_names_and_the_address_listened_on(tmp_path: Path) -> None:
    def hosts(**environ: str) -> tuple[str, ...]:
        found: tuple[str, ...] = load({"INSTANCE_PATH": tmp_path}, environ)["ALLOWED_HOSTS"]
        return found

    assert hosts() == ("localhost", "127.0.0.1", "[::1]")
    assert "192.0.2.7" in hosts(HOST="192.0.2.7")
    assert "[2001:db8::7]" in hosts(HOST="2001:db8::7")
    everywhere = hosts(HOST="0.0.0.0")  # noqa: S104 - nothing is bound
    assert socket.gethostname().lower() in everywhere
    assert "0.0.0.0" not in everywhere  # noqa: S104 - the same
    assert hosts(ALLOWED_HOSTS="Example.org, .example.net") == ("example.org", ".example.net")


def test_a_command_answers_a_bad_setting_with_one_sentence(tmp_path: Path) -> None:
    environ = clean_environment(RAISESUM_INSTANCE_PATH=str(tmp_path), TRUSTED_PROXIES="many")
    command = [sys.executable, "-m", "flask", "--app", "app", "db", "current"]
    done = subprocess.run(command, cwd=ROOT, env=environ, capture_output=True, text=True)
    assert done.returncode == 1
    assert done.stderr.strip() == "Error: TRUSTED_PROXIES must be a whole number from 0 to 10."


def test_no_file_of_ours_is_made_for_a_database_elsewhere(tmp_path: Path) -> None:
    url = "postgresql+psycopg://db.example/raisesum"
    values = load({"INSTANCE_PATH": tmp_path, "DATABASE_URL": url, "SECRET_KEY": "k" * 40}, {})
    assert values["DATABASE_URL"] == url
    assert os.listdir(tmp_path) == []  # noqa: PTH208 - the folder itself is the point


def test_other_devices_have_an_address_only_when_the_server_listens_to_them(tmp_path: Path) -> None:
    def address(host: str) -> object:
        return load({"INSTANCE_PATH": str(tmp_path), "HOST": host}, {})["NETWORK_ADDRESS"]

    assert address("127.0.0.1") is None
    assert address("localhost") is None
    assert address("192.168.1.20") == "192.168.1.20"
    values = load({"INSTANCE_PATH": str(tmp_path), "HOST": "0.0.0.0"}, {})  # noqa: S104
    assert values["NETWORK_ADDRESS"] in (None, *values["ALLOWED_HOSTS"])


def test_no_address_is_given_out_to_which_the_server_would_not_answer(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("raisesum.config.own_address", lambda: "192.0.2.7")

    def address(**more: str) -> object:
        told = {"INSTANCE_PATH": str(tmp_path), "HOST": "0.0.0.0", **more}  # noqa: S104
        return load(told, {})["NETWORK_ADDRESS"]

    assert address() == "192.0.2.7"
    assert address(ALLOWED_HOSTS="play.example.org") is None
    assert address(ALLOWED_HOSTS="play.example.org, 192.0.2.7") == "192.0.2.7"


@pytest.mark.parametrize(
    ("name", "value"), [("REGISTRATION", "shut"), ("PUBLIC_TABLES", "2"), ("KEEP_DAYS", "x")]
)
def test_settings_for_homes_and_schools_are_checked(tmp_path: Path, name: str, value: str) -> None:
    with pytest.raises(ConfigurationError, match=name):
        load({"INSTANCE_PATH": str(tmp_path), name: value}, {})
