#!/bin/sh
# Builds the sandbox image from Debian packages, without a registry: build.sh [NAME] [TAR]
# TAR is kept where it is named: python -m sandbox.rootfs TAR makes it a root for bubblewrap.
# The mirror and the keys are those of apt's own configuration. Needs root, debootstrap and a running Docker engine.
set -eu

name=${1:-forge-sandbox:local}
suite=bookworm
here=$(CDPATH='' cd -- "$(dirname -- "$0")" && pwd)
mirror=$(apt-get indextargets --format '$(SITE) $(RELEASE)' 2>/dev/null | awk -v s="$suite" '$2 == s { print $1; exit }')
[ -n "$mirror" ] || { echo "build.sh: apt knows no mirror of $suite: run apt-get update, or add one" >&2; exit 2; }

work=$(mktemp -d)
trap 'rm -rf --one-file-system "$work"' EXIT INT TERM

packages=$(grep -v '^#' "$here/packages" | paste -sd, -)
debootstrap --variant=minbase --include="$packages" "$suite" "$work/root" "$mirror"
sh "$here/strip.sh" "$work/root"
archive=${2:-$work/root.tar}
tar --numeric-owner --sort=name --mtime=@0 -C "$work/root" -cf "$archive" .
docker import --change 'CMD ["python3"]' --change 'LABEL forge.image=sandbox' "$archive" "$name"
