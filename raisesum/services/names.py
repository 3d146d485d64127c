"""Names: the handle one signs in with, the name others see, and names for guests.

A handle is compared without case and belongs to one person; a shown name need not be unique, but
at one table nobody can be taken for another (`told_apart`), and nowhere for the program
(`poses_as_program`).
"""

from __future__ import annotations

import re
import secrets
import unicodedata
from collections.abc import Iterable
from functools import cache
from itertools import count

from raisesum.bots import LEVELS
from raisesum.services.lookalikes import BLANK_LETTERS, looks
from raisesum.services.refusals import RefusedError

SHORTEST_HANDLE, LONGEST_HANDLE = 3, 20
LONGEST_SHOWN_NAME = 24
FORMER_PLAYER = "Former player"
"""What stands at a seat whose person has deleted their account."""

_HANDLE = re.compile(r"[A-Za-z0-9_-]+")


def _words(text: str) -> tuple[str, ...]:
    return tuple(text.split())


# Handles that would seem to speak for the site, or for nobody.
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

# What the program calls itself, those who look after it, and those who sit at its tables. No name
# is made of these alone.
_OWN_NAMES = (
    *(level.name for level in LEVELS.values()),
    *(level.title for level in LEVELS.values()),
    FORMER_PLAYER,
    *("free seat", "stand-in", "Raise the Sum", "raisesum"),
    *_words(
        """
        admin admins administrator administrators anonymous anybody anyone bot bots cohost computer
        computers cpu deleted everybody everyone game games guest guests help helpdesk
        host hosts mod moderation moderator moderators mods nobody official operator operators
        owner owners player players robot robots seat seats security server somebody
        someone spectator spectators staff support sysadmin system table tables team undefined
        unknown webmaster you your yourself
        """
    ),
)
# Who is called one of these, whatever else they are called, claims to look after the program.
_OFFICES = _words(
    "admin administrator moderator moderators official raisesum staff sysadmin webmaster"
)
_GAME = "Raise the Sum"
#: Every character that a number looks like; a small l is what a 1 looks like, an o a 0.
_LIKE_DIGITS = frozenset("lo0123456789")


def handle(text: str) -> tuple[str, str]:
    """`text` as a handle: as it is shown and as it is compared.

    Raises `RefusedError` (field `handle`) when it cannot become one. Whether it is taken is for
    the database to say.

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
    letters = _letters(key)
    if not letters or not letters.isdisjoint(_looks_of(RESERVED)):
        raise RefusedError("This name is reserved. Choose another.", "handle")
    return typed, key


def handle_key(text: str) -> str | None:
    """How the handle `text` would be found, or None when it cannot be anyone's.

    One that nobody could choose any more may still be somebody's.
    """
    typed = text.strip(" ")
    if not _HANDLE.fullmatch(typed) or not SHORTEST_HANDLE <= len(typed) <= LONGEST_HANDLE:
        return None
    return typed.lower() if any(map(str.isalnum, typed)) else None


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
    if poses_as_program(name):
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
    taken = frozenset[str]().union(*map(looks, filter(None, others)))
    if looks(name).isdisjoint(taken):
        return name
    numbered = (_with_number(name, number) for number in count(2))
    return next(each for each in numbered if looks(each).isdisjoint(taken))


def poses_as_program(name: str) -> bool:
    r"""Whether `name` looks like what the program or those who look after it are called.

    Numbers, accents, punctuation and letters of other scripts disguise nothing.

    >>> [poses_as_program(name) for name in ("Y\u043eu", "Sharp 2", "Gentle Ann", "Admin Ann")]
    [True, True, False, True]
    """
    if any(not _letters(part).isdisjoint(_looks_of(_OFFICES)) for part in _parts(name)):
        return True
    wholes = (_letters("".join(_parts(each))) for each in (name, _without_number(name)))
    return any(
        _own_names().fullmatch(look) or any(game in look for game in _looks_of((_GAME,)))
        for look in frozenset[str]().union(*wholes)
    )


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
    return unicodedata.category(character)[0] in "LNPS" and character not in BLANK_LETTERS


def _letters(text: str) -> frozenset[str]:
    """What `text` looks like without what is neither letter nor digit; nothing if that is all."""
    only = ("".join(filter(str.isalnum, look)) for look in looks(text))
    return frozenset(filter(None, only))


@cache
def _looks_of(words: tuple[str, ...]) -> frozenset[str]:
    return frozenset[str]().union(*map(_letters, words))


@cache
def _own_names() -> re.Pattern[str]:
    return re.compile(f"(?:the)?(?:{'|'.join(map(re.escape, _looks_of(_OWN_NAMES)))})+")


def _parts(name: str) -> list[str]:
    """The words of a name, parted by spaces and punctuation."""
    spaced = (" " if unicodedata.category(each)[0] in "PZ" else each for each in name)
    return "".join(spaced).split()


def _without_number(name: str) -> str:
    """`name` without what a number could be at its beginning and at its end."""
    parts = _parts(name)
    # "Easy l" looks like "Easy 1".
    while parts and all(set(look) <= _LIKE_DIGITS for look in _letters(parts[-1])):
        parts.pop()
    bare = "".join(parts)
    start = next((at for at, each in enumerate(bare) if not each.isnumeric()), 0)
    end = next((at for at, each in enumerate(reversed(bare)) if not each.isnumeric()), 0)
    return bare[start : len(bare) - end]
