"""What somebody has learned so far goes with them from a guest to an account."""

from __future__ import annotations

from sqlalchemy import select, update
from sqlalchemy.orm import Session

from raisesum.models import LessonDone, PracticeSet


def hand_over(session: Session, guest_id: int, account_id: int) -> None:
    """Give the lesson and the sums of a guest to an account, in the caller's transaction."""
    known = select(LessonDone.step).where(LessonDone.user_id == account_id)
    session.execute(
        update(LessonDone)
        .where(LessonDone.user_id == guest_id, LessonDone.step.not_in(known))
        .values(user_id=account_id)
        .execution_options(synchronize_session=False)
    )
    session.execute(
        update(PracticeSet)
        .where(PracticeSet.user_id == guest_id)
        .values(user_id=account_id)
        .execution_options(synchronize_session=False)
    )
