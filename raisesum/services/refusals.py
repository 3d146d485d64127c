"""Refusals that a form can show beside the field they are about."""

from __future__ import annotations

from collections.abc import Sequence

from raisesum.services.errors import ServiceError


class RefusedError(ServiceError):
    """What was typed will not do; `str()` of it is a sentence for whoever typed it.

    `field` names the field it is about, or is None when it is about the whole form.
    """

    def __init__(self, sentence: str, field: str | None = None) -> None:
        super().__init__(sentence)
        self.sentence = sentence
        self.field = field


class RefusedTogetherError(ServiceError):
    """Several refusals at once (at least one), so that a form can show them all."""

    def __init__(self, refusals: Sequence[RefusedError]) -> None:
        super().__init__(" ".join(refusal.sentence for refusal in refusals))
        self.refusals = tuple(refusals)
