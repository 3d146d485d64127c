import pytest
from hypothesis import given
from hypothesis import strategies as st

from raisesum.bots import Reason, parse_reason

facts = st.dictionaries(
    st.text(min_size=1, max_size=8).filter(lambda name: name != "why"),
    st.integers() | st.booleans() | st.text(max_size=8) | st.floats(allow_nan=False, width=32),
    max_size=4,
)


@given(topic=st.text(min_size=1, max_size=12), facts=facts)
def test_a_reason_that_was_written_down_is_read_back(topic, facts):
    assert parse_reason(Reason(topic, facts).text) == Reason(topic, facts)


@pytest.mark.parametrize(
    "text",
    ["", "[]", "{}", '{"why":1}', "cheapest", "null", '{"why":"a","b":[]}', '{"why":"a","b":null}'],
)
def test_what_is_no_reason_is_refused(text):
    with pytest.raises(ValueError):  # noqa: PT011 - json's own error is one, too
        parse_reason(text)
