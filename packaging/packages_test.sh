#!/usr/bin/env bash
# Try what `make packages` builds: twice the same bytes, wheels in clean environments, the Debian package in a root of
# Debian 13. The Windows installer and the Flatpak can't be started on this system: the one is only built, the other parsed.
set -euo pipefail
shopt -s nullglob
cd "$(dirname "$0")/.."
root=build/trixie-root
commit=$(git rev-parse --short=10 HEAD)
say() { printf '\n== %s\n' "$*"; }

say "Build twice, compare"
rm -rf dist
packaging/packages.sh "$@"
rm -rf build/first && mv dist build/first
packaging/packages.sh "$@" >/dev/null
for file in build/first/*; do
  cmp "$file" "dist/$(basename "$file")"
  echo "same bytes: $(basename "$file")"
done

say "A wheel from the source archive"
rm -rf build/sdist-wheel
build/packages-environment/bin/python -m pip wheel --quiet --no-deps --no-build-isolation --no-index \
  --disable-pip-version-check --wheel-dir build/sdist-wheel dist/nbmail-*.tar.gz
.venv/bin/python -m zipfile -e build/sdist-wheel/nbmail-*.whl build/sdist-wheel/unpacked
grep "$commit" build/sdist-wheel/unpacked/nbmail/resources/version.txt

say "Desktop entry, metainfo, systemd unit, manual page"
rm -rf build/deb && dpkg-deb -x dist/nbmail_*_all.deb build/deb
desktop-file-validate build/deb/usr/share/applications/nbmail.desktop
appstreamcli validate --no-net build/deb/usr/share/metainfo/org.nbmail.nbmail.metainfo.xml
if command -v systemd-analyze >/dev/null; then
  # The program is not installed on this system.
  sed 's#^ExecStart=/usr/bin/nbmail#ExecStart=/bin/true#' build/deb/usr/lib/systemd/user/nbmail-watch.service \
    >build/nbmail-watch.service
  XDG_RUNTIME_DIR=$PWD/build systemd-analyze --user verify --man=no $PWD/build/nbmail-watch.service
fi
zcat build/deb/usr/share/man/man1/nbmail.1.gz | groff -k -man -Tutf8 -ww | grep -e minimized

for wheel in dist/nbmail-*.whl; do
  say "$(basename "$wheel") in a clean environment"
  environment=build/wheel-environment
  .venv/bin/python -m venv --clear $environment
  $environment/bin/python -m pip install --quiet --disable-pip-version-check --require-hashes \
    --requirement packaging/requirements.txt
  $environment/bin/python -m pip install --quiet --disable-pip-version-check --no-deps "$wheel"
  (cd / && "$OLDPWD/$environment/bin/nbmail" --version | grep "$commit" &&
    "$OLDPWD/$environment/bin/nbmail" --self-test &&
    env -u DISPLAY -u WAYLAND_DISPLAY "$OLDPWD/$environment/bin/nbmail" --demo --pictures "$OLDPWD/build/wheel-pictures" &&
    "$OLDPWD/$environment/bin/python" -c \
      'from nbmail.paths import resources; [_] = resources().glob("translations/nbmail_de.qm"); print("translations found")')
done

say "The Debian package in a root of Debian 13"
[ "$(id -u)" = 0 ] || { echo "debootstrap needs root; not tried"; exit 1; }
if ! [ -e $root/ready ]; then
  rm -rf $root
  debootstrap --variant=minbase trixie $root >/dev/null
  touch $root/ready
fi
inside() { chroot $root env -u DISPLAY -u WAYLAND_DISPLAY DEBIAN_FRONTEND=noninteractive LC_ALL=C.UTF-8 "$@"; }
trap 'umount $root/proc 2>/dev/null || true' EXIT
mount -t proc proc $root/proc 2>/dev/null || true
inside apt-get update -qq
cp dist/nbmail_*_all.deb $root/tmp/nbmail.deb
inside apt-get install -qq --yes --reinstall --no-install-recommends /tmp/nbmail.deb >/dev/null
inside id tester >/dev/null 2>&1 || inside useradd --create-home tester
as_user() { inside su tester -c "$*"; }
as_user nbmail --version | grep "$commit"
as_user "cd && QT_QPA_PLATFORM=offscreen nbmail --self-test"
as_user "$(sed -n 's/^Exec=\(.*\) %F$/\1/p' $root/usr/share/applications/nbmail.desktop) --demo --pictures /home/tester/pictures"
as_user nbmail account list
as_user "cd && find . -path '*nbmail*' | sort" >build/home-before
inside apt-get purge -qq --yes nbmail >/dev/null
left=$(find $root/usr $root/etc $root/var/lib $root/opt -name '*nbmail*' ! -path '*/dpkg/*' | head)
[ -z "$left" ] || { echo "left behind: $left"; exit 1; }
! inside dpkg -s nbmail >/dev/null 2>&1 || { echo "dpkg still knows nbmail"; exit 1; }
as_user "cd && find . -path '*nbmail*' | sort" | cmp - build/home-before
[ -s build/home-before ] && echo "purged without a trace; the user's own folders and files stay: $(wc -l <build/home-before)"
