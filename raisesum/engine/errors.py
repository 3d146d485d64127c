"""The two ways an action can be wrong."""


class InvalidActionError(ValueError):
    """The text does not say any action: it cannot be read.

    The message quotes what could not be read and says what could have stood there.
    """


class IllegalActionError(ValueError):
    """The action can be read, but the rules forbid it here and now.

    The message says what was wrong and what would be needed.  `reason` names the rule for
    programs that want to react to it without reading the message.
    """

    def __init__(self, reason: str, message: str) -> None:
        """Keep `reason`, one of the words used in `raisesum.engine.legality`."""
        # Both go to the base class, so that a copied or unpickled error is a whole one.
        super().__init__(reason, message)
        self.reason = reason

    def __str__(self) -> str:
        return str(self.args[1])
