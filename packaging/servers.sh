#!/usr/bin/env bash
# IMAP servers that the tests meet beside Dovecot: Debian's packages, fetched and unpacked under build/servers. Installed
# they can't be, since each of these packages throws out the others; and unpacked none starts, asks or stays behind.
set -euo pipefail
cd "$(dirname "$0")/.."
patient=-oAcquire::Retries=5
fetch() {
  local folder=$PWD/build/servers/$1 packages
  shift
  [ -e "$folder/ready" ] && return
  rm -rf "$folder"
  mkdir -p "$folder/packages/partial"
  echo "Fetching $1 for the tests"
  # What is known of the archive may be old, or nothing.
  if download "$folder" "$@" || { [ "$(id -u)" = 0 ] && apt-get update -qq $patient && download "$folder" "$@"; }; then
    for package in "$folder"/packages/*.deb; do dpkg-deb -x "$package" "$folder"; done
    rm -r "$folder/packages"
    touch "$folder/ready"
  else
    echo "$1 could not be fetched: what needs it is not tested." >&2
  fi
}
download() {
  local folder=$1
  shift
  apt-get install -qq $patient --yes --download-only --no-install-recommends -o Debug::NoLocking=1 \
    -o APT::Sandbox::User=root -o Dir::Cache::archives="$folder/packages" "$@" >/dev/null
}
command -v apt-get >/dev/null 2>&1 || exit 0
fetch cyrus cyrus-imapd sasl2-bin
fetch courier courier-imap
fetch mailutils mailutils-imap4d
