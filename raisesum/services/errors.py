"""What services say no with; each carries a sentence for the person who asked."""


class ServiceError(Exception):
    """Something was asked that cannot be done; nothing was changed."""


class PersonGoneError(ServiceError):
    """Whoever asks has been deleted meanwhile, on another device or by a restored copy."""

    def __init__(self) -> None:
        super().__init__("You are not signed in any more.")


class NoSuchTableError(ServiceError):
    """There is no such table, or this person may not know of it: both look the same."""

    def __init__(self) -> None:
        super().__init__("There is no such table.")


class StaleMoveError(ServiceError):
    """The move was made from a table that has moved on since."""

    def __init__(self) -> None:
        super().__init__(
            "The table had moved on before your move arrived, so it was not made. "
            "This is how it stands now."
        )


class TableClosedError(ServiceError):
    """The match has ended, so nothing can be done at its table any more."""

    def __init__(self) -> None:
        super().__init__("This match has ended.")


class MatchGoesOnError(ServiceError):
    """What was asked has to wait for the end of the match."""

    def __init__(self) -> None:
        super().__init__("This match still goes on.")


class RematchBegunError(ServiceError):
    """The others have begun the rematch without this person."""

    def __init__(self) -> None:
        super().__init__("The others are playing again already.")


class NoWinnerError(ServiceError):
    """The match was given up, so it has no end that could be written down."""

    def __init__(self) -> None:
        super().__init__("This match was given up, so there is no record of it.")


class NotBegunError(ServiceError):
    """What was asked has to wait for the start of the match."""

    def __init__(self) -> None:
        super().__init__("This match has not begun yet.")


class BegunError(ServiceError):
    """The match has begun, so nobody can sit down or change the table any more."""

    def __init__(self) -> None:
        super().__init__("This match has begun already, and its seats are taken.")


class NoFreeSeatError(ServiceError):
    """Every seat is taken."""

    def __init__(self) -> None:
        super().__init__("All seats at this table are taken. Somebody was quicker.")


class SentAwayError(ServiceError):
    """The host has removed this person from the table."""

    def __init__(self) -> None:
        super().__init__("The host removed you from this table, so you cannot sit here again.")


class NotHostError(ServiceError):
    """Only the host may do what was asked."""

    def __init__(self) -> None:
        super().__init__("Only the host of this table can do that.")


class StaleRoomError(ServiceError):
    """The request came from a page that showed other people at the table."""

    def __init__(self) -> None:
        super().__init__("The table changed before your request arrived. This is how it is now.")
