"""Names: the handle one signs in with, the name others see, and names for guests.

A handle is compared without case and belongs to one person; a shown name need not be unique, but
at one table nobody can be taken for another (`told_apart`).
"""

from __future__ import annotations

import re
import secrets
import unicodedata
from collections.abc import Iterable
from itertools import count

from raisesum.bots import LEVELS
from raisesum.services.refusals import RefusedError

SHORTEST_HANDLE, LONGEST_HANDLE = 3, 20
LONGEST_SHOWN_NAME = 24
FORMER_PLAYER = "Former player"
"""What stands at a seat whose person has deleted their account."""

_HANDLE = re.compile(r"[A-Za-z0-9_-]+")


def _words(text: str) -> tuple[str, ...]:
    return tuple(text.split())


# Names that would seem to speak for the site, or for nobody.
RESERVED = _words(
    """
    about abuse account accounts admin administrator anonymous api billing bot bots contact
    deleted everyone former-player game games guest guests help home host info legal login logout
    mail moderator moderators mods nobody null official operator owner play player postmaster
    privacy raise raise-the-sum raisesum raise_the_sum recover register robot root rules security
    server settings sign-in sign-out signin signout sign-up signup somebody someone spectator
    staff static support sysadmin system table tables team terms undefined unknown user users
    webmaster you
    """
)

# Letters for words one may say to a stranger.
ADJECTIVES = _words(
    """
    Able Agile Amber Autumn Brave Breezy Bright Brisk Bronze Busy Calm Candid Careful Cheerful
    Clever Coastal Copper Coral Cosy Crimson Curious Daring Dapper Dreamy Eager Early Earnest
    Elegant Fabled Fair Fearless Festive Fleet Forest Friendly Frosty Gentle Gilded
    Glad Golden Graceful Grand Happy Hardy Hasty Hazel Hearty Helpful Honest Humble Indigo Ivory
    Jade Jolly Jovial Joyful Keen Kind Lively Lucky Lunar Lush Marine Meadow Mellow Merry Mighty
    Misty Modest Mossy Nimble Noble Northern Patient Peaceful Pearly Playful Plucky Polite Prime
    Proud Quick Quiet Rapid Ready River Rosy Royal Rustic Sandy Scarlet Serene Shiny Silent Silver
    Sincere Sleek Snowy Snug Solar Southern Sparkling Spirited Spry Starry Sturdy Sunny Swift
    Tidy Tranquil Trusty Upbeat Valiant Velvet Vivid Warm Wise Witty Woodland Zesty
    """
)
ANIMALS = _words(
    """
    Alpaca Antelope Armadillo Avocet Badger Bat Bear Beaver Bee Beetle Bison Bittern Boar Buffalo
    Bunting Butterfly Camel Caribou Cat Chamois Cheetah Chough Cod Condor Coot Crab Crane Cricket
    Crow Curlew Deer Dolphin Dormouse Dove Dragonfly Duck Dunlin Eagle Egret Elk Falcon Ferret
    Finch Flamingo Fox Frog Gazelle Gecko Gibbon Giraffe Goat Godwit Goldfinch Goose Grebe Grouse
    Gull Hare Hawk Hedgehog Heron Hippo Hoopoe Horse Ibex Ibis Iguana Impala Jackdaw Jaguar Jay
    Kestrel Kingfisher Kite Kiwi Koala Ladybird Lapwing Lark Lemur Leopard Linnet Lion Lizard
    Llama Lynx Magpie Manatee Marmot Marten Martin Mole Moose Moth Mouse Newt Nightjar Ocelot
    Octopus Okapi Orca Oriole Osprey Otter Owl Oyster Panda Panther Partridge Pelican Penguin
    Pheasant Pika Pipit Plover Polecat Pony Puffin Puma Quail Rabbit Raven Reindeer Robin Rook
    Salmon Seal Serval Shrew Siskin Skylark Sparrow Squirrel Starling Stoat Stork Swallow Swan
    Tapir Teal Tern Thrush Tiger Toad Tortoise Toucan Trout Turtle Viper Vole Wagtail Walrus
    Warbler Weasel Whale Wolf Wombat Woodpecker Wren Yak Zebra
    """
)

# Blank to the eye although Unicode calls them letters: Hangul fillers and a Braille cell of no
# dots.
_BLANK_LETTERS = frozenset("\u115f\u1160\u3164\uffa0\u2800")


def handle(text: str) -> tuple[str, str]:
    """`text` as a handle: as it is shown and as it is compared.

    Raises `RefusedError` (field `handle`) when it is none. Whether it is taken is for the
    database to say.

    >>> handle("Quick_Otter")
    ('Quick_Otter', 'quick_otter')
    """
    typed = text.strip(" ")
    if not typed:
        raise RefusedError("Choose a name to sign in with.", "handle")
    if not _HANDLE.fullmatch(typed):
        raise RefusedError(
            "Use only the letters A to Z, digits, the underscore _ and the hyphen -.",
            "handle",
        )
    if not SHORTEST_HANDLE <= len(typed) <= LONGEST_HANDLE:
        raise RefusedError(
            f"Use {SHORTEST_HANDLE} to {LONGEST_HANDLE} characters; this has {len(typed)}.",
            "handle",
        )
    key = typed.lower()
    if key in RESERVED or not any(character.isalnum() for character in key):
        raise RefusedError("This name is kept back. Choose another.", "handle")
    return typed, key


def handle_key(text: str) -> str | None:
    """How the handle `text` would be found, or None when it cannot be anyone's."""
    try:
        return handle(text)[1]
    except RefusedError:
        return None


def shown_name(text: str) -> str:
    r"""`text` as a name that others see, in Unicode's NFC form and without space at its ends.

    Raises `RefusedError` (field `shown_name`) when it cannot be one.

    >>> shown_name("  Zoe\u0308 ")
    'Zoë'
    """
    # Before anything is computed from it: NFC of a long text of combining marks is slow.
    if len(text) > 8 * LONGEST_SHOWN_NAME:
        raise _too_long()
    name = " ".join(unicodedata.normalize("NFC", text).split(" ")).strip()
    if any(unicodedata.category(character) in ("Cc", "Cs", "Zl", "Zp") for character in name):
        raise RefusedError("A name has no line ends or control characters.", "shown_name")
    if any(_is_bidi_control(character) for character in name):
        raise RefusedError("A name has no characters that turn the writing round.", "shown_name")
    if "|" in name:
        raise RefusedError("The character | cannot be part of a name.", "shown_name")
    if not any(_is_visible(character) for character in name):
        raise RefusedError("Type a name that can be seen.", "shown_name")
    if len(name) > LONGEST_SHOWN_NAME:
        raise _too_long()
    if _skeleton(name).rstrip("0123456789") in _MISLEADING:
        raise RefusedError("The table uses this name itself. Choose another.", "shown_name")
    return name


def guest_name() -> str:
    """A friendly name for somebody who has not chosen one: an adjective and an animal."""
    return f"{secrets.choice(ADJECTIVES)} {secrets.choice(ANIMALS)}"


def is_from_list(name: str) -> bool:
    """Whether `name` is one that `guest_name` could give.

    >>> is_from_list("Brave Otter"), is_from_list("Otter Brave")
    (True, False)
    """
    adjective, _, animal = name.partition(" ")
    return adjective in ADJECTIVES and animal in ANIMALS


def told_apart(name: str, others: Iterable[str]) -> str:
    """Return `name`, with a number where one of `others` looks the same; never too long.

    >>> told_apart("Ann", ["Bea"]), told_apart("ANN", ["Ann"]), told_apart("Ann", ["Ann", "Ann 2"])
    ('Ann', 'ANN 2', 'Ann 3')
    """
    taken = {_skeleton(other) for other in others}
    if _skeleton(name) not in taken:
        return name
    numbered = (_with_number(name, number) for number in count(2))
    return next(each for each in numbered if _skeleton(each) not in taken)


def _with_number(name: str, number: int) -> str:
    ending = f" {number}"
    kept = name[: LONGEST_SHOWN_NAME - len(ending)]
    # What joins two characters to one has nothing to join any more.
    return kept.rstrip(" \u200d") + ending


def _too_long() -> RefusedError:
    return RefusedError(f"Use at most {LONGEST_SHOWN_NAME} characters.", "shown_name")


def _is_bidi_control(character: str) -> bool:
    return (
        character in "\u061c\u200e\u200f"
        or "\u202a" <= character <= "\u202e"
        or ("\u2066" <= character <= "\u2069")
    )


def _is_visible(character: str) -> bool:
    """Letters, digits, punctuation and symbols are; spaces, marks and format characters not."""
    return unicodedata.category(character)[0] in "LNPS" and character not in _BLANK_LETTERS


def _skeleton(name: str) -> str:
    """`name` without what makes two names look alike and yet differ: case, width, spaces."""
    folded = unicodedata.normalize("NFKC", name).casefold()
    return "".join(character for character in folded if _is_visible(character))


# What the table calls its bots, the person who looks at it, and those who have gone.
_MISLEADING = frozenset(
    _skeleton(name)
    for name in (
        *(level.name for level in LEVELS.values()),
        *(level.title for level in LEVELS.values()),
        "bot",
        "You",
        FORMER_PLAYER,
    )
)
