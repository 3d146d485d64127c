import pytest
from flask import Flask

from raisesum.web import addresses

OWN = ["/", "/games/abc", "/games/abc?ask=pass", "/a//b", "/%2F%2Fevil.example", "/?next=//evil"]
NOT_OWN = [
    None,
    "",
    "games",
    "//evil.example",
    "///evil.example",
    "/\\evil.example",
    "\\\\evil.example",
    "/\t/evil.example",
    "/\n/evil.example",
    " //evil.example",
    "\t//evil.example",
    "https://evil.example/",
    "https:evil.example",
    "javascript:alert(1)",
    "/a b",
    "/a\r\nSet-Cookie: x=y",
    "/a\0",
    "/\u3000",
    "/é",
    "/" + "a" * 5000,
]


@pytest.mark.parametrize("path", OWN)
def test_a_path_of_ours_is_taken_as_it_is(path: str) -> None:
    assert addresses.own_path(path) == path


@pytest.mark.parametrize("path", NOT_OWN)
def test_what_could_lead_elsewhere_is_not(path: str | None) -> None:
    assert addresses.own_path(path) is None


@pytest.mark.parametrize(
    ("address", "path"),
    [
        ("http://localhost/games/abc?x=1#y", "/games/abc?x=1"),
        ("http://localhost/games/abc/actions", "/games/abc"),
        ("http://localhost/account/password", "/account"),
        ("http://localhost/settings", "/"),
        ("http://localhost/no/such/page", None),
        ("http://localhost", "/"),
        ("http://evil.example/games/abc", None),
        ("http://localhost.evil.example/", None),
        ("http://localhost@evil.example/", None),
        ("http://localhost:81/", None),
        ("http://localhost//evil.example/", None),
        ("ftp://localhost/", None),
        ("http://[::1/", None),
        ("nonsense", None),
        (None, None),
    ],
)
def test_a_full_address_counts_only_on_this_very_host(
    app: Flask, address: str | None, path: str | None
) -> None:
    with app.test_request_context("/", base_url="http://localhost"):
        assert addresses.own_address(address) == path


def test_the_page_is_what_is_asked_for_or_what_the_form_or_part_lies_in(app: Flask) -> None:
    def page(method: str, **headers: str) -> str | None:
        named = {name.replace("_", "-"): value for name, value in headers.items()}
        with app.test_request_context("/a?b=1", method=method, headers=named):
            return addresses.page_of_request()

    assert page("GET") == "/a?b=1"
    assert page("POST", Referer="http://localhost/rules") == "/rules"
    assert page("POST") is None
    part = {"HX_Request": "true", "HX_Current_URL": "http://localhost/games/k"}
    assert page("GET", **part) == "/games/k"
    assert page("POST", **part) == "/games/k"
