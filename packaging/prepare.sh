#!/usr/bin/env bash
# Make the machine ready: `prepare.sh run` for the program, `prepare.sh test` for its tests as well.
# Debian as root: installs exactly the system packages that are missing. Elsewhere: prints the one line to type.
set -euo pipefail
cd "$(dirname "$0")/.."
purpose=${1:?run, test or packages}
venv=.venv

libraries=$(ldconfig -p 2>/dev/null || /sbin/ldconfig -p 2>/dev/null || true)
has_library() { [[ $libraries == *"$1"* ]]; }
has_program() { command -v "$1" >/dev/null 2>&1 || [ -x "/usr/sbin/$1" ]; }
# Making it ends with pip: one that was interrupted has a Python and no pip.
has_venv() { [ -x $venv/bin/python ] && $venv/bin/python -m pip --version >/dev/null 2>&1; }
has_font() { [ -n "$(find /usr/share/fonts -name "$1" 2>/dev/null)" ]; }

missing=()
want_library() { has_library "$1" || missing+=("$2"); }
want_program() { has_program "$1" || missing+=("$2"); }

find_python() {
  for candidate in python3.13 python3.12 python3.11 python3 python3.14; do
    if command -v "$candidate" >/dev/null 2>&1 &&
      "$candidate" -c 'import sys; sys.exit(sys.version_info < (3, 11))' 2>/dev/null; then
      echo "$candidate"
      return
    fi
  done
}

if [ "$(uname -s)" = Linux ]; then
  want_library libglib-2.0.so.0 libglib2.0-0
  want_library libGL.so.1 libgl1
  want_library libEGL.so.1 libegl1
  want_library libdbus-1.so.3 libdbus-1-3
  want_library libfontconfig.so.1 libfontconfig1
  want_library libxkbcommon.so.0 libxkbcommon0
  # Only an X server needs these. Without a display the demo draws into memory.
  if [ "$purpose" != run ] || [ -n "${DISPLAY:-}" ]; then
    want_library libxcb-cursor.so.0 libxcb-cursor0
    want_library libxcb-icccm.so.4 libxcb-icccm4
    want_library libxcb-keysyms.so.1 libxcb-keysyms1
    want_library libxcb-shape.so.0 libxcb-shape0
    want_library libxkbcommon-x11.so.0 libxkbcommon-x11-0
  fi
  if [ "$purpose" = run ]; then
    has_font '*.[ot]t[cf]' || missing+=(fonts-dejavu-core)
  else
    has_font '*CJK*' || missing+=(fonts-noto-cjk)
  fi
fi
if [ "$purpose" = test ]; then
  want_program dovecot dovecot-imapd
  want_program bogofilter bogofilter
  want_program sa-learn spamassassin
  want_program mbsync isync
  want_program Xvfb xvfb
  want_program xdotool xdotool
  want_program openssl openssl
  want_program gnome-keyring-daemon gnome-keyring
  want_program dbus-run-session dbus
  want_program gio libglib2.0-bin
  want_program ps procps
  want_program desktop-file-validate desktop-file-utils
  has_program gcc || has_program cc || missing+=(gcc libc6-dev)
fi
if [ "$purpose" = packages ]; then
  want_program dpkg-deb dpkg
  want_program makensis nsis
  want_program osslsigncode osslsigncode
  want_program openssl openssl
  want_program flatpak-builder flatpak-builder
  want_program appstreamcli appstream
  want_program desktop-file-validate desktop-file-utils
  want_program debootstrap debootstrap
  want_program groff groff-base
  has_program gcc || has_program cc || missing+=(gcc libc6-dev)
fi
has_headers() {
  "$1" -c 'import os, sys, sysconfig; sys.exit(not os.path.exists(sysconfig.get_paths()["include"] + "/Python.h"))'
}
python=$(find_python)
if [ -z "$python" ]; then
  missing+=(python3 python3-venv)
elif ! "$python" -c 'import ensurepip' 2>/dev/null && ! has_venv; then
  missing+=("$("$python" -c 'import sys; print("python%d.%d-venv" % sys.version_info[:2])')")
fi
if [ "$purpose" != run ]; then
  if [ -z "$python" ]; then
    missing+=(python3-dev)
  elif ! has_headers "$python"; then
    missing+=("$("$python" -c 'import sys; print("python%d.%d-dev" % sys.version_info[:2])')")
  fi
fi

if [ ${#missing[@]} -gt 0 ]; then
  line="apt-get install --no-install-recommends ${missing[*]}"
  if [ "$(id -u)" = 0 ] && has_program apt-get; then
    echo "About to install these system packages, which are missing here: ${missing[*]}"
    export DEBIAN_FRONTEND=noninteractive
    # A mirror that fails for a moment, or the system's own updates, must not end this.
    patient=(-oAcquire::Retries=5 -oDPkg::Lock::Timeout=600)
    apt-get update -qq "${patient[@]}"
    apt-get install -qq "${patient[@]}" --no-install-recommends "${missing[@]}" >/dev/null
  else
    echo "nbmail needs some system packages. On Debian or Ubuntu, type this line, then try again:" >&2
    echo "  sudo $line" >&2
    [ "$purpose" = test ] && [ -n "$python" ] || exit 1
    echo "Going on without them: what needs them is not tested." >&2
  fi
  python=$(find_python)
fi
if [ -z "$python" ]; then
  echo "nbmail needs Python 3.11 or newer. Please install it and try again." >&2
  exit 1
fi

case $purpose in
run) pins=packaging/requirements.txt how=--compile ;;
# The tests import a small part of these libraries: it is compiled when it is imported.
test) pins=packaging/requirements-test.txt how=--no-compile ;;
packages) pins=packaging/requirements-test.txt how=--compile ;;
esac
ready="$venv/ready-$purpose"
# Two at once would fill the same folder: the second waits for the first, and then finds its work done. The lock is on
# this file, so that there is none to leave behind, and nothing that was started above holds it.
if has_program flock; then
  exec 9<packaging/prepare.sh
  flock 9 || echo "Going on without a lock: please don't start this twice at once." >&2
fi
if ! [ -x $venv/bin/python ] || ! cmp -s "$pins" "$ready"; then
  has_venv || "$python" -m venv --clear $venv
  echo "Installing the libraries named in $pins (a minute or two the first time)"
  $venv/bin/python -m pip install --quiet --disable-pip-version-check --retries 10 --timeout 60 \
    $how --require-hashes --requirement "$pins"
  cp "$pins" "$ready"
fi
case $purpose in
test)
  packaging/servers.sh
  $venv/bin/python packaging/compile.py --strict
  ;;
*) $venv/bin/python packaging/compile.py ;;
esac
