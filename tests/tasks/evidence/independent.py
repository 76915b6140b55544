"""A second verifier, by the description of the format alone: the standard library and one Ed25519 function.

    python independent.py RECORD.json PUBLIC_KEY.pem

It shares no line with Forge. It checks what a stranger can without Forge's judge: form, chain, blobs, trees, package,
the cryptographic signature and what was signed. It does not judge observations again.
"""

import base64
import hashlib
import json
import re
import sys
import urllib.parse
from pathlib import Path

from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat, load_pem_public_key

INLINE = 4096
PREDICATES = {f"urn:forge-verdict:predicate:{kind}:v1" for kind in ("build", "check", "repair", "bench")}
ENTRY = {"index", "kind", "previous", "content", "length", "body", "digest"}


class RefusalError(Exception):
    """The record is not what was signed."""


def need(holds, why):
    if not holds:
        raise RefusalError(why)


def sha256(data):
    return "sha256:" + hashlib.sha256(data).hexdigest()


def canonical(value):
    return json.dumps(value, ensure_ascii=False, sort_keys=True, separators=(",", ":")).encode("utf-8")


def load(data):
    def unique(pairs):
        need(len({key for key, _ in pairs}) == len(pairs), "a repeated key")
        return dict(pairs)

    def no_float(text):
        raise RefusalError("a number that is no integer: " + text)

    value = json.loads(data.decode("utf-8"), object_pairs_hook=unique, parse_float=no_float, parse_constant=no_float)
    need(canonical(value) == data, "not canonical")
    return value


class Blobs:
    """Files named by their SHA-256."""

    def __init__(self, directory):
        self.directory = directory

    def get(self, name):
        need(re.fullmatch("sha256:[0-9a-f]{64}", name), "not a digest")
        data = (self.directory / "sha256" / name[7:]).read_bytes()
        need(sha256(data) == name, "a blob has other bytes than its name says")
        return data


def bodies(record, blobs):
    need(set(record) == {"format", "entries", "head", "bundle"}, "not the fields of a record")
    need(record["format"] == "forge-record/1" and record["entries"], "another format")
    previous, found = sha256(b"forge-record/1 genesis"), []
    for index, entry in enumerate(record["entries"]):
        need(set(entry) == ENTRY and entry["index"] == index and type(entry["index"]) is int, "not an entry")
        linked = {key: entry[key] for key in ("content", "index", "kind", "length", "previous")}
        need(entry["previous"] == previous and sha256(canonical(linked)) == entry["digest"], "the chain is broken")
        inline = entry["body"] is not None
        data = canonical(entry["body"]) if inline else blobs.get(entry["content"])
        need(sha256(data) == entry["content"] and len(data) == entry["length"], "a body has other bytes")
        need(inline == (len(data) <= INLINE), "a body in the wrong place")
        found.append((entry["kind"], load(data)))
        previous = entry["digest"]
    need(record["head"] == previous, "the head is not that of the last entry")
    return found


def git(kind, data):
    return hashlib.sha1(b"%s %d\0" % (kind, len(data)) + data).digest()


def git_tree(files):
    """Git's tree object over {path: (mode, bytes)}."""
    here, below = {}, {}
    for path, (mode, data) in files.items():
        name, slash, rest = path.partition(b"/")
        if slash:
            below.setdefault(name, {})[rest] = (mode, data)
        else:
            here[name] = (mode, git(b"blob", data), name)
    for name, inside in below.items():
        here[name] = (b"40000", git_tree(inside), name + b"/")
    ordered = sorted(here.items(), key=lambda item: item[1][2])
    return git(b"tree", b"".join(b"%s %s\0%s" % (mode, name, sha) for name, (mode, sha, _) in ordered))


def tree(candidate, blobs):
    """Subject digests of a candidate, from its files."""
    files = {}
    for entry in candidate["files"]:
        data = blobs.get(entry["digest"])
        need(len(data) == entry["size"], "a file has another size")
        mode = b"120000" if entry["kind"] == "link" else b"100755" if entry["executable"] else b"100644"
        files[urllib.parse.unquote_to_bytes(entry["path"])] = (mode, data)
    need(sha256(canonical(candidate["files"])) == candidate["tree"], "a tree digest is not that of its files")
    return {"sha256": candidate["tree"][7:], "gitTree": git_tree(files).hex()}


def subjects(found, blobs):
    """The lists of subjects that are possible: which attempt is the best one, only a judge can say."""
    readings = [reading["tree"] for kind, body in found if kind == "readings" for reading in body["readings"]]
    changes = [body for kind, body in found if kind == "subject"]
    candidates = [body for kind, body in found if kind == "candidate"] + [body["candidate"] for body in changes]
    others = [body[name] for body in changes for name in ("overlay", "base") if body.get(name)]
    digests = [tree(candidate, blobs) for candidate in readings + others + candidates]
    if not candidates:
        name, text = next((kind, body["text"]) for kind, body in found if kind in ("requirement", "task"))
        return [[{"name": name, "digest": {"sha256": sha256(text.encode())[7:]}}]]
    packages = []
    for kind, package in found:
        if kind == "package":
            need(len(blobs.get(package["wheel"])) == package["size"], "the package has another size")
            packages.append({"name": package["filename"], "digest": {"sha256": package["wheel"][7:]}})
    return [[{"name": "candidate", "digest": digest}, *packages] for digest in digests[-len(candidates) :]]


def signed(bundle, key):
    """The payload of a bundle of exactly one form, signed by ``key``."""
    raw = key.public_bytes(Encoding.Raw, PublicFormat.Raw)
    envelope = bundle["dsseEnvelope"]
    payload, signature = (base64.b64decode(text) for text in (envelope["payload"], envelope["signatures"][0]["sig"]))
    again = {
        "mediaType": "application/vnd.dev.sigstore.bundle.v0.3+json",
        "verificationMaterial": {"publicKey": {"hint": sha256(raw)}, "tlogEntries": []},
        "dsseEnvelope": {
            "payload": base64.b64encode(payload).decode(),
            "payloadType": "application/vnd.in-toto+json",
            "signatures": [{"keyid": sha256(raw), "sig": base64.b64encode(signature).decode()}],
        },
    }
    need(bundle == again, "another form of bundle")
    key.verify(signature, b"DSSEv1 28 application/vnd.in-toto+json %d %s" % (len(payload), payload))
    return load(payload)


def check(path, pem):
    """Raise RefusalError unless the record at ``path`` is what the holder of the key signed; return its status."""
    try:
        record = load(path.read_bytes())
        blobs = Blobs(path.parent / "blobs")
        found = bodies(record, blobs)
        statement = signed(record["bundle"], load_pem_public_key(pem))
        need(statement["_type"] == "https://in-toto.io/Statement/v1", "another statement")
        need(statement["predicateType"] in PREDICATES, "another predicate")
        need(statement["predicate"]["record"] == {"format": record["format"], "head": record["head"]}, "another head")
        need(statement["subject"] in subjects(found, blobs), "other subjects")
        kind, outcome = found[-1]
        need(kind.endswith("outcome") and statement["predicate"]["status"] == outcome["status"], "another outcome")
        package = path.parent / "package"
        for file in package.iterdir() if package.is_dir() else ():
            subject = {"name": file.name, "digest": {"sha256": sha256(file.read_bytes())[7:]}}
            need(subject in statement["subject"], "another package")
    except (OSError, ValueError, KeyError, IndexError, TypeError, AttributeError, RecursionError) as error:
        raise RefusalError(f"{type(error).__name__}: {error}") from error
    except (InvalidSignature, StopIteration) as error:
        raise RefusalError("the cryptographic signature does not hold") from error
    return outcome["status"]


if __name__ == "__main__":
    try:
        print("intact:", check(Path(sys.argv[1]), Path(sys.argv[2]).read_bytes()))
    except RefusalError as reason:
        sys.exit(f"not intact: {reason}")
