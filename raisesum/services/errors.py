"""What services say no with; each carries a sentence for the person who asked."""


class ServiceError(Exception):
    """Something was asked that cannot be done; nothing was changed."""


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


class NoWinnerError(ServiceError):
    """The match was given up, so it has no end that could be written down."""

    def __init__(self) -> None:
        super().__init__("This match was given up, so there is no record of it.")
