"""Every pair of colours that is used keeps its contrast, in both themes.

The ratio is WCAG's. Text needs 4.5:1; big digits, edges and marks need 3:1. The style sheets
name colours only through the properties in tokens.css, so reading that file is enough.
"""

import re
from pathlib import Path

import pytest

CSS = Path(__file__).parents[2] / "static" / "css"
THEMES = ("light", "dark")

_PROPERTY = re.compile(
    r"--([a-z-]+): "
    r"(?:(#[0-9a-f]{6})|var\(--if-light, (#[0-9a-f]{6})\) var\(--if-dark, (#[0-9a-f]{6})\));"
)

SURFACES = ("paper", "panel", "felt", "slip")
KINDS = ("blue", "green", "red", "yellow", "black")

TEXT = [
    *((text, surface) for surface in SURFACES for text in ("ink", "soft")),
    *(("paper", surface) for surface in ("ink",)),
    *((f"{kind}-on", kind) for kind in KINDS),
    *((f"{kind}-text", surface) for kind in KINDS for surface in ("slip", "panel", "felt")),
    *(("bad", surface) for surface in ("paper", "panel", "bad-slip")),
    ("ink", "bad-slip"),
    ("good-on", "good"),
    ("bad-on", "bad"),
]
MARKS = [
    *((f"{kind}-edge", surface) for kind in KINDS for surface in SURFACES),
    *(("edge", surface) for surface in ("paper", "panel", "felt")),
    *(("violet", surface) for surface in ("paper", "panel")),
    ("violet-on", "violet"),
    *(("good", surface) for surface in ("panel", "felt")),
    *(("bad", surface) for surface in ("panel", "bad-slip")),
]


def colours(theme: str) -> dict[str, str]:
    found = _PROPERTY.findall((CSS / "tokens.css").read_text(encoding="utf-8"))
    return {
        name: both or (light if theme == "light" else dark) for name, both, light, dark in found
    }


def luminance(colour: str) -> float:
    channels = (int(colour[place : place + 2], 16) / 255 for place in (1, 3, 5))
    red, green, blue = (
        c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4 for c in channels
    )
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def contrast(one: str, other: str) -> float:
    low, high = sorted((luminance(one), luminance(other)))
    return (high + 0.05) / (low + 0.05)


@pytest.mark.parametrize("kind", KINDS)
def test_outlines_can_be_read_on_white_paper(kind: str) -> None:
    assert contrast(colours("light")[f"{kind}-edge"], colours("light")["sheet"]) >= 4.5


def test_the_ratio_is_the_known_one() -> None:
    assert contrast("#000000", "#ffffff") == pytest.approx(21)
    assert contrast("#777777", "#ffffff") == pytest.approx(4.48, abs=0.01)


@pytest.mark.parametrize("theme", THEMES)
@pytest.mark.parametrize(("text", "surface"), TEXT)
def test_text_can_be_read(theme: str, text: str, surface: str) -> None:
    named = colours(theme)
    assert contrast(named[text], named[surface]) >= 4.5


@pytest.mark.parametrize("theme", THEMES)
@pytest.mark.parametrize(("mark", "surface"), MARKS)
def test_marks_and_edges_can_be_seen(theme: str, mark: str, surface: str) -> None:
    named = colours(theme)
    assert contrast(named[mark], named[surface]) >= 3


def test_no_style_sheet_names_a_colour_of_its_own() -> None:
    for sheet in CSS.glob("*.css"):
        if sheet.name != "tokens.css":
            # Shadows are black and nothing is read off them.
            text = sheet.read_text(encoding="utf-8").replace("rgb(0 0 0 /", "")
            assert not re.search(r"#[0-9a-f]{3,8}\b(?=[^{}]*;)|rgb\(|hsl\(", text), sheet.name


def test_every_colour_that_is_used_is_named() -> None:
    named = set(colours("light"))
    other = {
        "if-light",
        "if-dark",
        "display",
        "text",
        "radius",
        "radius-small",
        "gap",
        "quick",
        "face",
        "on",
        "rim",
        "card-gap",
        "number",
        "standing",
    }
    for sheet in CSS.glob("*.css"):
        used = set(re.findall(r"var\(--([a-z-]+)", sheet.read_text(encoding="utf-8")))
        assert used <= named | other, sheet.name
