/**
 * Shell commands of a kubectl that fails with the text of `$FAKE_STATE/stderr`. Node takes a tenth of a second to start,
 * which an error message does not need.
 */
export const FAILING = `echo $$ >> "$FAKE_STATE/pids"; cat "$FAKE_STATE/stderr" >&2; exit 1`;
