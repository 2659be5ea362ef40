#!/usr/bin/env bash
# Run two commands at once, and fail if either does. The first is short: its output comes as one block at its end.
set -uo pipefail
shown=$(mktemp)
trap 'rm -f "$shown"' EXIT
(
  $1 >"$shown" 2>&1
  failed=$?
  echo
  cat "$shown"
  exit $failed
) &
first=$!
echo "$2"
$2
second=$?
if ! wait $first; then
  echo "FAILED: $1 (its output is above)" >&2
  exit 1
fi
exit $second
