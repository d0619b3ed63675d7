#!/bin/sh
# Runs the command that the variable COMMAND names. The client reads its options from variables.
set -eu

# The commands of a step share its only identity token through a file. Each pipe has its own temporary files.
export TMPDIR="${BITBUCKET_PIPE_STORAGE_DIR:-${TMPDIR:-/tmp}}"

case "${COMMAND-}" in
  begin-trail | attest | gate | report) exec delivery-evidence "$COMMAND" ;;
esac
echo "The variable COMMAND of the pipe must be begin-trail, attest, gate or report." >&2
exit 1
