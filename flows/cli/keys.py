"""``forge keys``: the user's own key, and whom he trusts (EVI-08, DEC-11)."""

from __future__ import annotations

from enum import StrEnum
from typing import TYPE_CHECKING, Annotated, Any

import typer

from flows.cli.common import Json, named, print_document, read_file, refuse, say, write_new
from flows.cli.verify import TrustOption

if TYPE_CHECKING:
    from contracts.trust import TrustedKey, TrustPolicy

_PEM_BYTES = 16_384


class Use(StrEnum):
    """What a key may sign."""

    RECORD = "record"
    LOG = "log"


def new(
    out: Annotated[
        str | None, typer.Option("--output", "-o", metavar="FILE", help="Make it here, for --key; else make your own.")
    ] = None,
    json: Json = False,
) -> int:
    """Make an Ed25519 key, in a file that only you can read."""
    from tasks.evidence.signing import key_file, new_key

    made = new_key(named("--output", out) if out is not None else key_file())
    if json:
        print_document({"key": made.public.id, "file": made.source})
    else:
        say(f"{made.public.id} in {made.source}")
    return 0


def show(trust: TrustOption = None, json: Json = False) -> int:
    """Show your own public key, and the keys of a policy with how they stand now."""
    from tasks.evidence.signing import own_key, public_pem
    from tasks.evidence.trust import own_policy, own_trust, read_policy, read_trust

    path = named("--trust", trust) if trust is not None else None
    policy, standing = (read_policy(path), read_trust(path)) if path is not None else (own_policy(), own_trust())
    own = own_key()
    pem = public_pem(own).decode() if own is not None else None
    keys = [_described(item, standing.refused) for item in policy.keys]
    if json:
        mine = {"key": own.id, "pem": pem} if own is not None else None
        print_document({"own": mine, "policy": policy.name, "number": policy.number, "keys": keys})
        return 0
    say(f"own key: {own.id if own is not None else 'none yet; the first build makes one'}")
    for line in (pem or "").splitlines():
        say(line)
    say(f"policy {policy.name}, number {policy.number}, threshold {policy.threshold}")
    for key in keys:
        say(f"  {key['name']} {key['key']} signs {', '.join(key['uses'])}: {key['standing']}")
    return 0


def trust(
    name: Annotated[str, typer.Argument(metavar="NAME", help="What to call the key.")],
    file: Annotated[str, typer.Argument(metavar="FILE", help="The public key, in PEM.")],
    uses: Annotated[
        list[Use] | None, typer.Option("--for", help="What it may sign; give it again for both (the default).")
    ] = None,
    expires: Annotated[
        str | None, typer.Option("--expires", metavar="TIME", help="YYYY-MM-DD or YYYY-MM-DDThh:mm:ssZ, in UTC.")
    ] = None,
    json: Json = False,
) -> int:
    """Trust somebody's public key from now on."""
    from contracts.loading import parse_document
    from contracts.trust import TrustedKey
    from tasks.evidence.signing import parse_public
    from tasks.evidence.trust import trust as add

    key = parse_public(read_file(named("FILE", file), _PEM_BYTES), file)
    document: dict[str, Any] = TrustedKey(name="x", key=key.raw).document() | {"name": name}
    if uses:
        document["uses"] = sorted({use.value for use in uses})
    if expires is not None:
        document["expires"] = f"{expires}T00:00:00Z" if len(expires) == len("YYYY-MM-DD") else expires
    return _told(add(parse_document(TrustedKey, document)), f"{name} is trusted: {key.id}", json)


def revoke(
    key: Annotated[str, typer.Argument(metavar="KEY", help="The name or the id of a trusted key, or your own.")],
    json: Json = False,
) -> int:
    """Trust a key no longer, whatever it signed and whenever."""
    from tasks.evidence.trust import revoke as remove

    return _told(remove(key), f"{key} is revoked", json)


def cosign(
    record: Annotated[str, typer.Argument(metavar="RECORD", help="A record file, or the directory it lies in.")],
    key: Annotated[str | None, typer.Option("--key", metavar="FILE", help="Sign with this key; else your own.")] = None,
    json: Json = False,
) -> int:
    """Add your cryptographic signature beside a record, after verifying all but who else signed it.

    Exit status: 0 signed, 1 the record is not intact.
    """
    from pathlib import Path

    from flows.cli.verify import located
    from tasks.evidence.cosigning import FOLDER, cosign_record
    from tasks.evidence.signing import key_from, load_key
    from tasks.evidence.verify import VerificationError

    source, store = located(record, None)
    if not isinstance(source, Path):
        refuse("cosign takes a record file or the directory it lies in: the signature is put beside it")
    signer = key_from(named("--key", key)) if key is not None else load_key()
    try:
        data = cosign_record(source, store, signer)
    except VerificationError as error:
        say(f"NOT SIGNED: {error}")
        return 1
    file = source.parent / FOLDER / f"{signer.public.id.removeprefix('sha256:')}.json"
    write_new("RECORD", file, data)
    if json:
        print_document({"key": signer.public.id, "file": str(file)})
    else:
        say(f"signed by {signer.public.id} in {file}")
    return 0


def _told(policy: TrustPolicy, words: str, json: bool) -> int:
    if json:
        print_document(policy.document())
    else:
        say(f"{words}; your policy is number {policy.number} now")
    return 0


def _described(item: TrustedKey, refused: Any) -> dict[str, Any]:
    from tasks.evidence.signing import PublicKey

    key = PublicKey(item.key).id
    return {"name": item.name, "key": key, "uses": list(item.uses), "standing": refused.get(key, "trusted")}
