"""The lesson as its templates print it."""

from collections.abc import Iterable
from dataclasses import dataclass

from raisesum.services.lesson import END, LEAD, STEPS, TITLE, Run
from raisesum.web.presenters.table import Sum, TablePage, present_sum, present_table


@dataclass(frozen=True, slots=True)
class StepLink:
    """A step in the list of all."""

    number: int
    slug: str
    title: str
    is_done: bool
    is_here: bool


@dataclass(frozen=True, slots=True)
class Contents:
    """The list of all steps; `next` is the first that is not done, or the first of all."""

    title: str
    lead: str
    steps: tuple[StepLink, ...]
    done: int
    next: StepLink

    @property
    def is_begun(self) -> bool:
        """Whether some step is done and another is not."""
        return 0 < self.done < len(self.steps)


@dataclass(frozen=True, slots=True)
class StepPage:
    """A step as its page shows it.

    Attributes:
        here: which step it is.
        steps: all of them.
        paragraphs: what there is to know.
        task: what to do.
        table: the table of the step.
        moves: the moves made so far, as forms carry them.
        is_done: whether the step is done.
        praise: what to say then.
        sum: how the learner's last play came about, once the step is done.
        next: the step that follows, if one does.
        end: what to say after the last step.
    """

    here: StepLink
    steps: tuple[StepLink, ...]
    paragraphs: tuple[str, ...]
    task: str
    table: TablePage
    moves: tuple[str, ...]
    is_done: bool
    praise: str
    sum: Sum | None
    next: StepLink | None
    end: str


def present_contents(done: frozenset[str]) -> Contents:
    """Return the list of all steps, with those in `done` marked."""
    steps = _links(done, "")
    to_do = [step for step in steps if not step.is_done]
    return Contents(TITLE, LEAD, steps, len(steps) - len(to_do), (to_do or steps)[0])


def present_step(
    run: Run,
    done: frozenset[str],
    *,
    ticked: Iterable[str] = (),
    checked: Sum | None = None,
    refusal: str = "",
    hand_order: str = "drawn",
) -> StepPage:
    """Return the page of a step.

    Args:
        run: the step and where its moves have led.
        done: the slugs of the steps that are done.
        ticked: names of cards to show ticked.
        checked: the sum of those cards; a hint when not given.
        refusal: why the last move was not taken.
        hand_order: as in `present_table`.
    """
    steps = _links(done, run.step.slug)
    here = next(step for step in steps if step.is_here)
    return StepPage(
        here=here,
        steps=steps,
        paragraphs=run.text,
        task=run.task,
        table=present_table(
            run.table, hand_order=hand_order, ticked=ticked, checked=checked, refusal=refusal
        ),
        moves=tuple(move.text for move in run.moves),
        is_done=run.is_done,
        praise=run.praise if run.is_done else "",
        sum=_sum(run) if run.is_done else None,
        next=steps[here.number] if here.number < len(steps) else None,
        end=END,
    )


def _sum(run: Run) -> Sum | None:
    played = run.last_play
    return None if played is None else present_sum(played.receipt, played.target)


def _links(done: frozenset[str], here: str) -> tuple[StepLink, ...]:
    return tuple(
        StepLink(number, step.slug, step.title, step.slug in done, step.slug == here)
        for number, step in enumerate(STEPS, 1)
    )
