"""The tables, as rows only: what may be done with them is the services' business.

Times are milliseconds since 1970 (UTC). Seats are numbered from 1.
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
    confirm_pass: Mapped[bool] = mapped_column(default=True)
    """Ask once more before a pass when some play would beat the target."""
    hand_order: Mapped[str] = mapped_column(String(10), default="drawn")
    created_at: Mapped[int] = mapped_column(BigInteger)

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
    """Its name in addresses: random, at least 128 bits."""
    created_at: Mapped[int] = mapped_column(BigInteger)
    updated_at: Mapped[int] = mapped_column(BigInteger)
    status: Mapped[str] = mapped_column(String(16))
    version: Mapped[int]
    """Counts moves; forms carry it."""
    revision: Mapped[int]
    """Counts everything visible; polls carry it."""
    setup: Mapped[str] = mapped_column(Text)
    state: Mapped[str] = mapped_column(Text)
    due_at: Mapped[int | None] = mapped_column(BigInteger, index=True)
    """When something happens without a person, if it does."""
    winner: Mapped[int | None]
    rematch_id: Mapped[int | None] = mapped_column(
        ForeignKey("games.id", ondelete="SET NULL"), unique=True
    )

    seats: Mapped[list[Seat]] = relationship(
        back_populates="game", order_by="Seat.number", cascade="all", passive_deletes=True
    )


class Seat(Base):
    """A place at a table: a person's, a bot's, or one whose person has left for good."""

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
