#!/bin/sh
# Makes a Debian root file system the root of a sandbox: strip.sh ROOT. Both recipes run it, so that both end alike.
set -eu

root=$(CDPATH='' cd -- "$1" && pwd)
[ "$root" != / ] || exit 2

rm -rf "$root"/var/cache/* "$root"/var/lib/apt/lists/* "$root"/var/log/* "$root"/root/.[!.]* \
    "$root"/usr/share/doc "$root"/usr/share/man "$root"/usr/share/locale \
    "$root"/usr/lib/python3/dist-packages/* "$root"/usr/local/* \
    "$root"/etc/hostname "$root"/etc/resolv.conf "$root"/etc/machine-id \
    "$root"/home "$root"/root "$root"/run
find "$root" -xdev -type f -perm /6000 -exec chmod a-s {} +

# The sandbox cannot write byte code, and the image's time stamps are all alike: the byte code must not look at them.
find "$root" -xdev -name __pycache__ -type d -prune -exec rm -rf {} +
chroot "$root" python3 -m compileall -q --invalidation-mode unchecked-hash /usr/lib/python3.11 >/dev/null || true

mkdir -p "$root/work" "$root/candidate" "$root/opt/forge" "$root/opt/trusted/supervisor" "$root/opt/bin"
chmod 0755 "$root/work" "$root/candidate" "$root/opt/forge" "$root/opt/trusted/supervisor" "$root/opt/bin"
ln -sf /usr/bin/python3 "$root/opt/bin/python3"
ln -sf /usr/bin/python3 "$root/opt/bin/python"
cat >"$root/etc/passwd" <<END
root:x:0:0:root:/:/usr/sbin/nologin
probe:x:10001:10001:probe:/work:/bin/sh
nobody:x:65534:65534:nobody:/:/usr/sbin/nologin
END
printf 'root:x:0:\nprobe:x:10001:\nnogroup:x:65534:\n' >"$root/etc/group"
printf 'passwd: files\ngroup: files\nhosts: files\n' >"$root/etc/nsswitch.conf"
