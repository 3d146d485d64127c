"""The tables, as rows only: what may be done with them is the services' business.

Times are milliseconds since 1970 (UTC). Those marked "server time" do not pass while the server
is down; see `services.server_time`. Seats are numbered from 1.
"""

from __future__ import annotations

from sqlalchemy import BigInteger, CheckConstraint, ForeignKey, String, Text, UniqueConstraint
from sqlalchemy.orm import Mapped, mapped_column, relationship

from raisesum.extensions import Base


class User(Base):
    """A person: a guest until a handle and a password are chosen."""

    __tablename__ = "users"
    # Without it SQLite would give the number of a deleted person to the next one.
    __table_args__ = {"sqlite_autoincrement": True}

    id: Mapped[int] = mapped_column(primary_key=True)
    handle: Mapped[str | None] = mapped_column(String(20))
    """As it was typed."""
    handle_key: Mapped[str | None] = mapped_column(String(20), unique=True)
    """As handles are compared: without case."""
    shown_name: Mapped[str] = mapped_column(String(24))
    password_hash: Mapped[str | None] = mapped_column(String(255))
    recovery_hash: Mapped[str | None] = mapped_column(String(64))
    theme: Mapped[str] = mapped_column(String(10), default="system")
    text_size: Mapped[str] = mapped_column(String(10), default="normal")
    confirm_pass: Mapped[bool] = mapped_column(default=True)
    """Ask once more before a pass when some play would beat the target."""
    hand_order: Mapped[str] = mapped_column(String(10), default="drawn")
    keys: Mapped[bool] = mapped_column(default=True)
    """Keys of one letter or figure tick cards, play, pass and sort."""
    created_at: Mapped[int] = mapped_column(BigInteger)
    disabled_at: Mapped[int | None] = mapped_column(BigInteger)
    """When whoever runs the server has closed the account, if they have."""

    # What Flask-Login asks of whoever is signed in.
    is_active = is_authenticated = True
    is_anonymous = False

    @property
    def is_guest(self) -> bool:
        """Whether no handle has been chosen yet."""
        return self.handle is None


class SignIn(Base):
    """One browser signed in as one person. Without the row its cookie is worth nothing."""

    __tablename__ = "sign_ins"

    id: Mapped[int] = mapped_column(primary_key=True)
    token_hash: Mapped[str] = mapped_column(String(64), unique=True)
    """SHA-256 of the token in the cookie, in hex: who reads the database cannot sign in."""
    user_id: Mapped[int] = mapped_column(ForeignKey(User.id, ondelete="CASCADE"), index=True)
    created_at: Mapped[int] = mapped_column(BigInteger)
    seen_at: Mapped[int] = mapped_column(BigInteger)

    user: Mapped[User] = relationship()


class Game(Base):
    """A match and where it stands."""

    __tablename__ = "games"
    __table_args__ = {"sqlite_autoincrement": True}

    id: Mapped[int] = mapped_column(primary_key=True)
    key: Mapped[str] = mapped_column(String(43), unique=True)
    """Its name in the addresses of those who sit there: random, at least 128 bits."""
    created_at: Mapped[int] = mapped_column(BigInteger)
    updated_at: Mapped[int] = mapped_column(BigInteger)
    status: Mapped[str] = mapped_column(String(16))
    version: Mapped[int]
    """Counts moves; forms carry it."""
    revision: Mapped[int]
    """Counts everything visible; polls carry it."""
    setup: Mapped[str] = mapped_column(Text)
    state: Mapped[str] = mapped_column(Text)
    """Empty while the table waits for people."""
    due_at: Mapped[int | None] = mapped_column(BigInteger, index=True)
    """When something happens without a person, if it does; server time."""
    graced: Mapped[bool] = mapped_column(default=False)
    """Whether this turn is running on extra time because a connection was lost."""
    winner: Mapped[int | None]
    rematch_id: Mapped[int | None] = mapped_column(
        ForeignKey("games.id", ondelete="SET NULL"), unique=True
    )
    host_id: Mapped[int | None] = mapped_column(
        ForeignKey(User.id, ondelete="SET NULL"), index=True
    )
    """Who decides while the table waits; nobody where it was set for one person and bots."""
    is_public: Mapped[bool] = mapped_column(default=False, index=True)
    """Listed on the home page while it waits."""
    spectators: Mapped[bool] = mapped_column(default=False)
    """Whether whoever has the link may watch."""
    pace_s: Mapped[int | None]
    """Seconds for a turn; None leaves all the time there is."""
    bot_level: Mapped[str] = mapped_column(String(20), default="steady")
    """What takes the seats that are still free at the start."""
    code: Mapped[str | None] = mapped_column(String(6), unique=True)
    """Leads to the table while it waits."""
    begun_code: Mapped[str | None] = mapped_column(String(6), index=True)
    """What the code was before the match began: people who still type it are told so."""
    invitation: Mapped[str | None] = mapped_column(String(43), unique=True)
    """Its name in the link that invites people: random, 128 bits, and another one once somebody was
    removed. None where there is nobody to invite."""
    key_invites: Mapped[bool] = mapped_column(default=True)
    """Whether the key invites people as well, as it does until somebody is removed."""
    help: Mapped[str] = mapped_column(String(10), default="full")
    """How much the table works out for those who sit at it; see `services.help`."""
    hints: Mapped[bool] = mapped_column(default=False)
    """Whether who plays alone here may ask for a hint."""
    deck_name: Mapped[str | None] = mapped_column(String(24))
    """What a deck of somebody's own is called."""

    seats: Mapped[list[Seat]] = relationship(
        back_populates="game", order_by="Seat.number", cascade="all", passive_deletes=True
    )


class Seat(Base):
    """A place at a table: a person's or a bot's; with neither, a free one or a former player's."""

    __tablename__ = "seats"
    __table_args__ = (
        UniqueConstraint("game_id", "user_id"),
        CheckConstraint("number BETWEEN 1 AND 4", name="number"),
    )

    game_id: Mapped[int] = mapped_column(ForeignKey(Game.id, ondelete="CASCADE"), primary_key=True)
    number: Mapped[int] = mapped_column(primary_key=True, autoincrement=False)
    user_id: Mapped[int | None] = mapped_column(
        ForeignKey(User.id, ondelete="SET NULL"), index=True
    )
    bot: Mapped[str | None] = mapped_column(String(20))
    """The bot's level, if a bot sits here."""
    name: Mapped[str] = mapped_column(String(24))
    stand_in: Mapped[bool] = mapped_column(default=False)
    """Whether a bot plays for the person who has the seat."""
    left: Mapped[bool] = mapped_column(default=False)
    """Whether the person has left; the seat stays theirs to come back to."""
    missed: Mapped[int] = mapped_column(default=0)
    """Turns in a row that ran out of time."""
    grace_used: Mapped[bool] = mapped_column(default=False)
    """Whether the seat has had its extra time for a lost connection in this match."""

    game: Mapped[Game] = relationship(back_populates="seats")


class Action(Base):
    """One accepted action and what it caused; replaying all of them gives the state."""

    __tablename__ = "actions"

    game_id: Mapped[int] = mapped_column(ForeignKey(Game.id, ondelete="CASCADE"), primary_key=True)
    number: Mapped[int] = mapped_column(primary_key=True, autoincrement=False)
    """The game's version after it; 0 is the deal."""
    seat: Mapped[int | None]
    action: Mapped[str] = mapped_column(Text)
    events: Mapped[str] = mapped_column(Text)
    at: Mapped[int] = mapped_column(BigInteger)
    by_clock: Mapped[bool] = mapped_column(default=False)
    """Whether the seat's time had run out, and nobody chose this."""
    reason: Mapped[str | None] = mapped_column(Text)
    """Why a bot did it, as `bots.Reason.text`. It tells of hidden cards: nobody gets to read it
    before somebody has won; see `services.reasons`."""


class Presence(Base):
    """When somebody was last seen at a table where they sit."""

    __tablename__ = "presences"

    game_id: Mapped[int] = mapped_column(ForeignKey(Game.id, ondelete="CASCADE"), primary_key=True)
    user_id: Mapped[int] = mapped_column(
        ForeignKey(User.id, ondelete="CASCADE"), primary_key=True, index=True
    )
    seen_at: Mapped[int] = mapped_column(BigInteger)
    """Server time."""


class Removal(Base):
    """Somebody whom the host has sent away from a table, for good."""

    __tablename__ = "removals"

    game_id: Mapped[int] = mapped_column(ForeignKey(Game.id, ondelete="CASCADE"), primary_key=True)
    user_id: Mapped[int] = mapped_column(
        ForeignKey(User.id, ondelete="CASCADE"), primary_key=True, index=True
    )


class Agreement(Base):
    """One player's consent that a stand-in plays for the person in an absent seat."""

    __tablename__ = "agreements"

    game_id: Mapped[int] = mapped_column(ForeignKey(Game.id, ondelete="CASCADE"), primary_key=True)
    absent: Mapped[int] = mapped_column(primary_key=True, autoincrement=False)
    by: Mapped[int] = mapped_column(primary_key=True, autoincrement=False)
    at: Mapped[int] = mapped_column(BigInteger)
    """Server time; worth nothing once the absent one has been seen after it."""


class Reaction(Base):
    """One of the short phrases, said from a seat."""

    __tablename__ = "reactions"

    game_id: Mapped[int] = mapped_column(ForeignKey(Game.id, ondelete="CASCADE"), primary_key=True)
    number: Mapped[int] = mapped_column(primary_key=True, autoincrement=False)
    """Counts the table's reactions from 1."""
    seat: Mapped[int]
    phrase: Mapped[str] = mapped_column(String(20))
    version: Mapped[int]
    """The game's version when it was said."""
    at: Mapped[int] = mapped_column(BigInteger)
    """Server time."""


class Mute(Base):
    """A person at a table whose phrases another one does not want to see, wherever they sit."""

    __tablename__ = "muted_people"

    game_id: Mapped[int] = mapped_column(ForeignKey(Game.id, ondelete="CASCADE"), primary_key=True)
    user_id: Mapped[int] = mapped_column(
        ForeignKey(User.id, ondelete="CASCADE"), primary_key=True, index=True
    )
    muted_id: Mapped[int] = mapped_column(
        ForeignKey(User.id, ondelete="CASCADE"), primary_key=True, index=True
    )


class Handover(Base):
    """A link that signs a person in on one more device, once."""

    __tablename__ = "handovers"

    token_hash: Mapped[str] = mapped_column(String(64), primary_key=True)
    """SHA-256 of the token in the link, in hex."""
    user_id: Mapped[int] = mapped_column(ForeignKey(User.id, ondelete="CASCADE"), index=True)
    ends_at: Mapped[int] = mapped_column(BigInteger)
    """Server time."""


class SeatOffer(Base):
    """A link by which somebody can have a seat of a match that goes on, once."""

    __tablename__ = "seat_offers"

    game_id: Mapped[int] = mapped_column(ForeignKey(Game.id, ondelete="CASCADE"), primary_key=True)
    seat: Mapped[int] = mapped_column(primary_key=True, autoincrement=False)
    token_hash: Mapped[str] = mapped_column(String(64), unique=True)
    """SHA-256 of the token in the link, in hex."""
    user_id: Mapped[int] = mapped_column(ForeignKey(User.id, ondelete="CASCADE"), index=True)
    """Who made the link."""
    at: Mapped[int] = mapped_column(BigInteger)
    """Server time."""


class OfferAgreement(Base):
    """One player's consent that a seat is offered by a link, at a table where nobody is host."""

    __tablename__ = "offer_agreements"

    game_id: Mapped[int] = mapped_column(ForeignKey(Game.id, ondelete="CASCADE"), primary_key=True)
    seat: Mapped[int] = mapped_column(primary_key=True, autoincrement=False)
    user_id: Mapped[int] = mapped_column(
        ForeignKey(User.id, ondelete="CASCADE"), primary_key=True, index=True
    )
    at: Mapped[int] = mapped_column(BigInteger)
    """Server time."""


class SeatChange(Base):
    """Another person has had a seat from some move of a match on."""

    __tablename__ = "seat_changes"

    game_id: Mapped[int] = mapped_column(ForeignKey(Game.id, ondelete="CASCADE"), primary_key=True)
    number: Mapped[int] = mapped_column(primary_key=True, autoincrement=False)
    """Counts the table's changes from 1."""
    seat: Mapped[int]
    version: Mapped[int]
    """The game's version then: the moves up to it are the former player's."""
    former_id: Mapped[int | None] = mapped_column(
        ForeignKey(User.id, ondelete="SET NULL"), index=True
    )
    former_name: Mapped[str] = mapped_column(String(24))
    """What the seat was called before."""
    by_owner: Mapped[bool]
    """Whether the former player had made the link themselves."""
    at: Mapped[int] = mapped_column(BigInteger)


class Throttle(Base):
    """How often something that is slowed down was tried by somebody."""

    __tablename__ = "throttles"

    what: Mapped[str] = mapped_column(String(20), primary_key=True)
    who: Mapped[str] = mapped_column(String(64), primary_key=True)
    """SHA-256 of what names the one who tries, an address say, in hex."""
    tries: Mapped[int]
    until: Mapped[int] = mapped_column(BigInteger, index=True)
    """When it is forgotten; server time."""


class Heartbeat(Base):
    """The last sign of life of any process that serves; one row, number 1."""

    __tablename__ = "heartbeats"

    id: Mapped[int] = mapped_column(primary_key=True, autoincrement=False)
    server_ms: Mapped[int] = mapped_column(BigInteger)
    """Server time."""
    wall_ms: Mapped[int] = mapped_column(BigInteger)
    """The time of day at that moment."""


class Guess(Base):
    """What somebody said that their own play would score, before they were shown it."""

    __tablename__ = "guesses"

    game_id: Mapped[int] = mapped_column(ForeignKey(Game.id, ondelete="CASCADE"), primary_key=True)
    number: Mapped[int] = mapped_column(primary_key=True, autoincrement=False)
    """The game's version after the play."""
    seat: Mapped[int]
    said: Mapped[int]
    score: Mapped[int]


class LessonDone(Base):
    """A step of the lesson that somebody has done."""

    __tablename__ = "lessons_done"

    user_id: Mapped[int] = mapped_column(ForeignKey(User.id, ondelete="CASCADE"), primary_key=True)
    step: Mapped[str] = mapped_column(String(20), primary_key=True)
    at: Mapped[int] = mapped_column(BigInteger)


class PracticeSet(Base):
    """Sums asked of somebody, and what they answered."""

    __tablename__ = "practice_sets"
    __table_args__ = {"sqlite_autoincrement": True}

    id: Mapped[int] = mapped_column(primary_key=True)
    user_id: Mapped[int] = mapped_column(ForeignKey(User.id, ondelete="CASCADE"), index=True)
    deck: Mapped[str] = mapped_column(String(20))
    questions: Mapped[str] = mapped_column(Text)
    """JSON; see `services.practice`."""
    started_at: Mapped[int] = mapped_column(BigInteger)
    finished_at: Mapped[int | None] = mapped_column(BigInteger)
    repeats: Mapped[int | None] = mapped_column()
    """The set, of the same person, whose wrong answers these questions had; None for new ones."""
