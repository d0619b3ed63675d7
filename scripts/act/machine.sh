# shellcheck shell=bash
# For the scripts that run act: act itself, a folder to work in that is gone in the end, Node 24, and the embedded
# service. It is sourced, with `root` set to the folder of the project.

: "${root:?is the folder of the project}"

if ! type -P act > /dev/null; then
  echo 'act is not installed: nothing was run. Install it with "go install github.com/nektos/act@latest".' >&2
  exit 3
fi

work=$(mktemp -d "${TMPDIR:-/tmp}/delivery-evidence-act.XXXXXX")
service=
tokens=
finish() {
  for process in $service $tokens; do
    kill "$process" 2> /dev/null || true
    wait "$process" 2> /dev/null || true
  done
  rm -rf "$work"
}
trap finish EXIT
trap 'exit 130' INT TERM

[ -x "$root/node_modules/.bin/node" ] || (cd "$root" && npm ci)
PATH=$root/node_modules/.bin:$PATH

# copy_tree FOLDER: the project as it is now, without what is installed or built.
copy_tree() {
  mkdir "$1"
  tar -C "$root" --exclude=./.git --exclude=./node_modules --exclude=./lib -cf - . | tar -C "$1" -xf -
}

# commit_all FOLDER [SLUG]: makes a repository of a folder, which is that of this name on GitHub.
commit_all() {
  git init -q "$1"
  if [ -n "${2:-}" ]; then git -C "$1" remote add origin "https://github.com/$2"; fi
  git -C "$1" add -A
  git -C "$1" -c user.name=act -c user.email=act@example.com -c commit.gpgsign=false commit -qm 'What act runs'
}

# start_tokens COMMIT: stands in for GitHub where jobs ask for tokens, which act has not. The variables of a job for that
# commit are in the file `$work/token-variables`, the keys that sign its tokens in `$work/token-keys.json`.
start_tokens() {
  node "$root/scripts/act-tokens.ts" "$1" "$work/token-keys.json" "$work/token-variables" &
  tokens=$!
  for _ in $(seq 60); do
    if [ -s "$work/token-variables" ]; then return; fi
    sleep 0.5
  done
  echo 'What gives the tokens did not start.' >&2
  exit 1
}

# Starts the service, with the variables that the caller sets for it: its address is in `address`, its key in the file `$work/secrets` that act takes.
start_service() {
  local key log=$work/service.log
  key=$(node -e 'process.stdout.write(crypto.randomUUID() + crypto.randomUUID())')
  EVIDENCE_ADMIN_KEY=$key node "$root/src/cli.ts" serve --data "$work/data" --port 0 --org acme > "$log" 2>&1 &
  service=$!
  address=
  for _ in $(seq 120); do
    address=$(sed -n 's/.* listens on \(http[^ ]*\) .*/\1/p' "$log")
    if [ -n "$address" ] || ! kill -0 "$service" 2> /dev/null; then break; fi
    sleep 0.5
  done
  if [ -z "$address" ]; then
    cat "$log" >&2
    echo 'The embedded service did not start.' >&2
    exit 1
  fi
  echo "The embedded service runs at $address"
  # Secrets by file: an argument could be read by every process of the machine.
  (umask 077 && printf 'EVIDENCE_API_KEY=%s\n' "$key" > "$work/secrets")
}
