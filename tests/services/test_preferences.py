import pytest

from raisesum.extensions import db
from raisesum.models import User
from raisesum.services import accounts, preferences
from raisesum.services.refusals import RefusedError

pytestmark = pytest.mark.usefixtures("app_context")


def kept(user_id: int) -> tuple[str, str, str, bool]:
    """What somebody likes, but for keys."""
    user = db.session.get_one(User, user_id)
    return user.theme, user.text_size, user.hand_order, user.confirm_pass


def test_only_what_is_named_changes() -> None:
    user_id = accounts.create_guest().user_id
    assert kept(user_id) == ("system", "normal", "drawn", True)
    preferences.change(user_id, {"theme": "dark", "next": "/", "shown_name": "Mallory"})
    assert kept(user_id) == ("dark", "normal", "drawn", True)
    preferences.change(user_id, {"confirm_pass": "off", "hand_order": "kind", "text_size": "large"})
    assert kept(user_id) == ("dark", "large", "kind", False)
    preferences.change(user_id, {"confirm_pass": "on"})
    assert kept(user_id) == ("dark", "large", "kind", True)


@pytest.mark.parametrize(
    "wishes",
    [
        {"theme": "blink"},
        {"hand_order": ""},
        {"confirm_pass": "1"},
        {"text_size": "huge"},
        {"keys": "1"},
        {"theme": "dark", "hand_order": "x"},
    ],
)
def test_a_choice_there_is_none_of_changes_nothing(wishes: dict[str, str]) -> None:
    user_id = accounts.create_guest().user_id
    with pytest.raises(RefusedError):
        preferences.change(user_id, wishes)
    assert kept(user_id) == ("system", "normal", "drawn", True)


def test_keys_are_wanted_until_they_are_turned_off() -> None:
    user_id = accounts.create_guest().user_id

    def wanted() -> bool:
        return db.session.get_one(User, user_id).keys

    assert wanted()
    preferences.change(user_id, {"keys": "off"})
    preferences.change(user_id, {"theme": "dark"})
    assert not wanted()
    preferences.change(user_id, {"keys": "on"})
    assert wanted()
