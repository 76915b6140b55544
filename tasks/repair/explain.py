"""Why a change failed, in words for people. Commentary: nothing of it decides anything (ADP-01)."""

from __future__ import annotations

import re
from collections.abc import Sequence

from contracts.calls import Explanation, ModelCall, commentary
from contracts.gate import CheckVerdict
from contracts.repair import Proposal
from contracts.taskspec import TaskSpec
from tasks.errors import NoCandidateError
from tasks.evidence.store import Store
from tasks.models.base import Adviser, calls_of
from tasks.repair.feedback import brief, told
from tasks.repair.lookup import Found, Lookup
from tasks.repair.progress import Judged, best

OURS = "forge"
_ERROR = re.compile(r"^[\w.]*(?:Error|Exception|error)\b.*", re.MULTILINE)


def explain(
    task: TaskSpec,
    attempts: Sequence[Judged],
    proposals: Sequence[Proposal],
    store: Store,
    *,
    adviser: Adviser | None = None,
    lookup: Lookup | None = None,
) -> tuple[Explanation, tuple[ModelCall, ...]]:
    """The best attempt's failures in plain words, and the calls that it took.

    A model's words where there are some; else Forge's own, with the reason (REP-09). Never raises for an adviser or
    a look-up that fails.

    Raises:
        StoreError: a file is not in the store.
    """
    base = best(attempts)
    found = lookup.find(query(task, base)) if lookup is not None else Found()
    text, author, error, calls = own_words(task, base), OURS, None, tuple[ModelCall, ...]()
    if adviser is not None:
        try:
            answer = adviser.explain(brief(task, attempts, proposals, store))
        except NoCandidateError:
            pass  # nobody was asked to explain
        except Exception as fault:  # noqa: BLE001 - commentary costs no verdict, whatever goes wrong (REP-09)
            calls = calls_of(fault)
            error = commentary(" ".join(str(fault).split()))[:1_000] or type(fault).__name__
        else:
            text, calls = commentary(answer.text), answer.calls
            author = calls[-1].name if calls else OURS
    explanation = Explanation(
        attempt=base.number,
        author=author,
        text=text,
        references=found.references,
        error=error,
        degraded=found.degraded,
    )
    return explanation, calls


def own_words(task: TaskSpec, attempt: Judged) -> str:
    """A text from the results alone, the same for the same results."""
    failed = [result for result in attempt.verdict.results if result.verdict is CheckVerdict.FAIL]
    head = f"{len(failed)} of {len(task.checks)} checks failed."
    if not attempt.verdict.results:
        head = "No check was run, since the change itself was refused."
    elif not failed:
        head = "Every check passed; what fails is the change itself."
    return commentary("\n\n".join([head, *told(task, attempt)]))


def query(task: TaskSpec, attempt: Judged) -> str:
    """What to look up: the last error that a check printed, else how it ended; nothing that is held back."""
    words = "\n".join(told(task, attempt))
    errors = _ERROR.findall(words)
    return errors[-1] if errors else " ".join(words.split())
