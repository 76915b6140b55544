"""A bundle without its record: who signed it, and what it says of which subjects. That is all it can show (EVI-09)."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from contracts.canonical import canonical_bytes
from contracts.loading import DocumentError, load_json
from tasks.evidence import dsse
from tasks.evidence.arrangement import TYPES, type_of
from tasks.evidence.bindings import Bindings
from tasks.evidence.signing import KeyFileError, PublicKey
from tasks.evidence.statement import PREDICATE_TYPE, STATEMENT_TYPE, signer_of
from tasks.evidence.summary import TEST_RESULT, VERIFICATION_RESULT
from tasks.evidence.trust import Trust
from tasks.evidence.verify import NotIntact, UntrustedSigner, Verification
from tasks.validation.readable import plain


def is_bundle(data: bytes) -> bool:
    """Whether a file looks like a bundle of its own; nothing is said of whether it is a good one."""
    if b'"entries"' in data:  # a record, which has a bundle inside it
        return False
    try:
        document = load_json(data)
    except DocumentError:
        return False
    return isinstance(document, dict) and "mediaType" in document


def verify_bundle(
    data: bytes, *, trusted: Trust, integrity_only: bool = False, bindings: Bindings | None = None
) -> Verification:
    """Verify a bundle that Forge wrote: beside a record, or the one inside it.

    Raises:
        DocumentError: it is no JSON document in the canonical profile (exit 2).
        NotIntact: a step failed (exit 1).
        UntrustedSigner: its cryptographic signature is not that of a trusted key (exit 1).
    """
    bindings = bindings or Bindings()
    bundle: Any = load_json(data)
    payload, document = _opened(bundle, data)
    key = _signer(bundle, document, trusted)
    _check_statement(document, payload)
    missing = next(_unbound(document, bindings), None)
    if missing is not None:
        raise NotIntact("bindings", missing)
    if not integrity_only and len(trusted.records & {key}) < trusted.threshold:
        raise UntrustedSigner(key.id, trusted.reason(key.id))
    run, status = _told(document["predicate"])
    return Verification(
        signed_by=key.id,
        cosigned_by=(),
        run=run,
        status=status,
        checked=("document", "form", "signature", "statement", "bindings", *(() if integrity_only else ("trust",))),
        not_checked=tuple(_not_checked(bindings, integrity_only=integrity_only)),
    )


def _opened(bundle: Any, data: bytes) -> tuple[bytes, Any]:
    try:
        payload, _ = dsse.open_bundle(bundle)
        document = load_json(payload)
    except (dsse.EnvelopeError, DocumentError) as error:
        raise NotIntact("form", str(error)) from error
    if canonical_bytes(bundle) != data:
        raise NotIntact("form", "the file is not the canonical form of its bundle")
    return payload, document


def _signer(bundle: Any, document: Any, trusted: Trust) -> PublicKey:
    """The key that the statement names, else the trusted one that signed: a summary names none."""
    try:
        named = signer_of(document)
    except KeyFileError:
        found = next((key for key in trusted.records if dsse.verifies(bundle, key)), None)
        if found is None:
            raise UntrustedSigner(_hint(bundle), "no trusted key made its cryptographic signature") from None
        return found
    if not dsse.verifies(bundle, named):
        raise NotIntact("signature", "the cryptographic signature does not hold")
    return named


def _hint(bundle: Any) -> str:
    try:
        return plain(str(bundle["verificationMaterial"]["publicKey"]["hint"]))[:100]
    except (KeyError, TypeError):
        return "unknown"


def _check_statement(document: Any, payload: bytes) -> None:
    known = {PREDICATE_TYPE.format(type_of(about).TYPE) for about in TYPES} | {TEST_RESULT, VERIFICATION_RESULT}
    fields = {"_type", "subject", "predicateType", "predicate"}
    if not isinstance(document, dict) or set(document) != fields or canonical_bytes(document) != payload:
        raise NotIntact("statement", "not a statement as Forge writes it")
    subjects = document["subject"]
    shaped = isinstance(subjects, list) and subjects and all(map(_is_subject, subjects))
    if document["_type"] != STATEMENT_TYPE or not shaped or not isinstance(document["predicate"], dict):
        raise NotIntact("statement", "not an in-toto statement about a subject")
    if document["predicateType"] not in known:
        raise NotIntact("statement", "another type of predicate")


def _is_subject(item: Any) -> bool:
    return isinstance(item, dict) and isinstance(item.get("name"), str) and isinstance(item.get("digest"), dict)


def _unbound(document: dict[str, Any], bindings: Bindings) -> Iterator[str]:
    """Whatever is given and not named; only the strong digest counts (EVI pitfall 10)."""
    there = {item["digest"].get("sha256") for item in document["subject"]}
    values = (value for value in document["predicate"].values() if isinstance(value, str))
    there |= {value.removeprefix("sha256:") for value in values}
    given = (("file", bindings.spec), ("directory", bindings.candidate), ("package", bindings.package))
    for name, digest in given:
        if digest is not None and digest.removeprefix("sha256:") not in there:
            yield f"the given {name} is not what this statement is about"


def _told(predicate: dict[str, Any]) -> tuple[str, str]:
    """The run, or the record by its head, and the result in the predicate's own words."""
    materials = predicate.get("configuration") or [predicate.get("policy")]
    try:
        named = predicate["run"] if "run" in predicate else f"record {materials[0]['digest']['sha256']}"
        passed = "PASSED" if "properties" in predicate else None
        status = predicate.get("status") or predicate.get("result") or passed
        return plain(str(named)), plain(str(status))
    except (KeyError, TypeError, IndexError):
        raise NotIntact("statement", "the predicate says nothing of a run") from None


def _not_checked(bindings: Bindings, *, integrity_only: bool) -> Iterator[str]:
    yield "the record: chain, evidence, verdicts and outcome are not in this file; forge verify RECORD checks them"
    if integrity_only:
        yield "who signed: whoever can write the file can sign it with a key of their own"
    if (bindings.spec, bindings.candidate, bindings.package) == (None, None, None):
        yield "what it is about: no directory and no file was given"
    yield "that no other run came before: no log is part of this file"
