"""Terminal statuses, layer results, and the closed enum of failure signatures (law 3)."""

from __future__ import annotations

from enum import StrEnum
from typing import Literal

from contracts.model import Bytes, Count, Model, Sha256
from contracts.probe import Observation, ProbeCase
from contracts.requirement import Span


class TerminalStatus(StrEnum):
    """A build ends in exactly one of these."""

    VERIFIED = "verified"
    VALIDATION_FAILED = "validation_failed"
    INFEASIBLE_PROVEN = "infeasible_proven"


class Fault(StrEnum):
    """Whose fault a failure is; never guessed (law 3)."""

    NONE = "none"
    CANDIDATE = "candidate"
    REQUIREMENT = "requirement"
    INFRASTRUCTURE = "infrastructure"


class FailureSignature(StrEnum):
    """The stable class names of failures; docs/signatures.md has a paragraph for each."""

    SYNTAX_ERROR = "syntax_error"
    IMPORT_ERROR = "import_error"
    ENTRY_POINT_MISSING = "entry_point_missing"
    ENTRY_POINT_BROKEN = "entry_point_broken"
    CANDIDATE_TESTS_MISSING = "candidate_tests_missing"
    CANDIDATE_TESTS_FAILED = "candidate_tests_failed"
    NONDETERMINISTIC_OUTPUT = "nondeterministic_output"
    EXAMPLE_MISMATCH = "example_mismatch"
    CONDITIONAL_VIOLATION = "conditional_violation"
    INVARIANT_VIOLATION = "invariant_violation"
    READING_MISMATCH = "reading_mismatch"
    UNPROVEN_REQUIREMENT = "unproven_requirement"
    SPECIAL_CASED_EXAMPLE = "special_cased_example"
    HOSTILE_INPUT_FAILURE = "hostile_input_failure"
    UNDECLARED_FILE = "undeclared_file"
    VERIFIER_TAMPERING = "verifier_tampering"
    INSUFFICIENT_EVIDENCE = "insufficient_evidence"
    RESOURCE_LIMIT = "resource_limit"
    KILLED_BY_SIGNAL = "killed_by_signal"
    OUTPUT_TRUNCATED = "output_truncated"
    CHECK_FAILED = "check_failed"
    CHECK_TIMED_OUT = "check_timed_out"
    REQUIRED_TEST_MISSING = "required_test_missing"
    PROTECTED_PATH_CHANGED = "protected_path_changed"
    SCOPE_EXCEEDED = "scope_exceeded"
    ARTIFACT_MISSING = "artifact_missing"
    PATCH_REJECTED = "patch_rejected"
    FLAKY_CHECK = "flaky_check"
    VACUOUS_CHECK = "vacuous_check"
    UNDERSPECIFIED_REQUIREMENT = "underspecified_requirement"
    AMBIGUOUS_REQUIREMENT = "ambiguous_requirement"
    CONTRADICTORY_REQUIREMENT = "contradictory_requirement"
    INFEASIBLE_REQUIREMENT = "infeasible_requirement"
    INFEASIBILITY_UNPROVEN = "infeasibility_unproven"
    NO_CANDIDATE = "no_candidate"
    MODEL_UNAVAILABLE = "model_unavailable"
    UNUSABLE_ANSWER = "unusable_answer"
    BUDGET_EXHAUSTED = "budget_exhausted"
    SEAL_MISMATCH = "seal_mismatch"
    SANDBOX_UNAVAILABLE = "sandbox_unavailable"
    SANDBOX_POLICY_VIOLATION = "sandbox_policy_violation"
    INFRASTRUCTURE_ERROR = "infrastructure_error"
    INTERRUPTED = "interrupted"


_REQUIREMENT = {
    FailureSignature.UNDERSPECIFIED_REQUIREMENT,
    FailureSignature.AMBIGUOUS_REQUIREMENT,
    FailureSignature.CONTRADICTORY_REQUIREMENT,
    FailureSignature.INFEASIBLE_REQUIREMENT,
    FailureSignature.VACUOUS_CHECK,
}
_INFRASTRUCTURE = {
    FailureSignature.NO_CANDIDATE,
    FailureSignature.MODEL_UNAVAILABLE,
    FailureSignature.UNUSABLE_ANSWER,
    FailureSignature.BUDGET_EXHAUSTED,
    FailureSignature.SEAL_MISMATCH,
    FailureSignature.SANDBOX_UNAVAILABLE,
    FailureSignature.SANDBOX_POLICY_VIOLATION,
    FailureSignature.INFRASTRUCTURE_ERROR,
    FailureSignature.INTERRUPTED,
}
_NOBODY = {
    FailureSignature.INSUFFICIENT_EVIDENCE,
    FailureSignature.UNPROVEN_REQUIREMENT,
    FailureSignature.INFEASIBILITY_UNPROVEN,
    FailureSignature.FLAKY_CHECK,
}


def fault_of(signature: FailureSignature) -> Fault:
    """Who is at fault for a failure of this class."""
    if signature in _REQUIREMENT:
        return Fault.REQUIREMENT
    if signature in _INFRASTRUCTURE:
        return Fault.INFRASTRUCTURE
    return Fault.NONE if signature in _NOBODY else Fault.CANDIDATE


class Witness(Model):
    """One input, and what was seen: enough for a person to repeat it by hand. Texts are bounded and readable."""

    probe: str
    command: str
    files: dict[str, Bytes]
    expected: str
    observed: str


class Failure(Model):
    """A non-pass: its class, the clauses concerned, and the evidence."""

    signature: FailureSignature
    requirement_ids: tuple[str, ...] = ()
    spans: tuple[Span, ...] = ()
    detail: str
    witness: Witness | None = None


LayerName = Literal["runtime", "obligations", "adversarial"]
LAYERS: tuple[LayerName, ...] = ("runtime", "obligations", "adversarial")


class MutantRun(Model):
    """A mutant of the candidate, run against the plan's cases until the first kill, then on further inputs.

    The run whose ``change`` is ``unchanged`` is the candidate itself: mutants that no case kills are compared with it.
    """

    path: str
    line: Count
    change: str
    observations: tuple[Observation, ...]


class LayerEvidence(Model):
    """All that a layer's judgement rests on; `tasks.validation.judge` derives the result from it, then and later.

    ``cases`` and ``observations`` pair up by probe id. ``notes`` are facts about the tree, by name.
    """

    layer: LayerName
    candidate: Sha256
    cases: tuple[ProbeCase, ...]
    observations: tuple[Observation, ...]
    mutants: tuple[MutantRun, ...] = ()
    notes: dict[str, tuple[str, ...]] = {}


class LayerResult(Model):
    """The judgement of one layer. Not executed is a value with a reason, and never a pass (law 3)."""

    layer: LayerName
    executed: bool
    passed: bool
    not_executed: str | None = None
    failures: tuple[Failure, ...] = ()


class Floor(Model):
    """The least evidence that certifies (DEC-17): a policy, printed with the verdict.

    More equivalent mutants than ``mutants_equivalent_percent`` mean that the inputs tell too little apart.
    """

    mutants_killed_percent: Count = 90
    mutants_at_least: Count = 10
    mutants_equivalent_percent: Count = 50
    output_classes: Count = 2


class Strength(Model):
    """How strong the evidence is, and what was not checked (law 8)."""

    obligations: Count
    obligations_covered: Count
    probes: Count
    readings: Count
    mutants: Count
    mutants_killed: Count
    mutants_equivalent: Count
    output_classes: Count
    floor: Floor
    not_checked: tuple[str, ...]


class ValidationArtifact(Model):
    """The judgement of one attempt."""

    build_spec: Sha256
    probe_plan: Sha256
    candidate: Sha256
    attempt: Count
    layers: tuple[LayerResult, ...]
    strength: Strength

    @property
    def passed(self) -> bool:
        """True iff every layer was executed and passed."""
        return len(self.layers) == len(LAYERS) and all(layer.executed and layer.passed for layer in self.layers)

    @property
    def failures(self) -> tuple[Failure, ...]:
        """The failures of all layers, in order."""
        return tuple(failure for layer in self.layers for failure in layer.failures)
