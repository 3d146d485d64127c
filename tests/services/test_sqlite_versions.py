import pytest

from raisesum.services.sqlite_versions import can_corrupt


@pytest.mark.parametrize(
    "version", ["3.7.0", "3.40.1", "3.44.5", "3.45.0", "3.50.6", "3.51.0", "3.51.2", "3.7.17"]
)
def test_a_version_that_can_corrupt_is_known(version: str) -> None:
    assert can_corrupt(version)


@pytest.mark.parametrize(
    "version", ["3.6.23", "3.44.6", "3.50.7", "3.51.3", "3.52.0", "3.53.4", "4.0.0", "3.52"]
)
def test_a_version_that_cannot_is_let_be(version: str) -> None:
    assert not can_corrupt(version)
