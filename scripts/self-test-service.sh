#!/usr/bin/env bash
# Gives the steps that follow a service: the one that is named by GIVEN_URL and GIVEN_KEY, or the embedded one, started
# here and left running. It is that of these sources, or with PACKAGE that of a published package. Writes the outputs
# base-url and api-key, and pid where there is something to stop.
set -euo pipefail

if [ -n "${GIVEN_URL:-}" ]; then
  printf 'base-url=%s\napi-key=%s\n' "$GIVEN_URL" "$GIVEN_KEY" >> "$GITHUB_OUTPUT"
  exit 0
fi

if [ -n "${PACKAGE:-}" ]; then
  installed=$RUNNER_TEMP/evidence-package
  mkdir -p "$installed"
  # The package brings no Node of its own, and the one on a runner may be too old for it.
  echo '{"private": true, "allowScripts": {"node": true}}' > "$installed/package.json"
  npm install --prefix "$installed" --no-audit --no-fund "$PACKAGE" node@24
  program=("$installed/node_modules/.bin/node" "$installed/node_modules/delivery-evidence/lib/cli.js")
else
  npm ci
  program=(node_modules/.bin/node src/cli.ts)
fi
key=$(openssl rand -hex 32)
echo "::add-mask::$key"
log=$RUNNER_TEMP/evidence-service.log
# A runner may end what the step leaves in its session.
detached=(nohup)
if type -P setsid > /dev/null; then detached=(setsid nohup); fi
EVIDENCE_ADMIN_KEY=$key "${detached[@]}" "${program[@]}" serve --org "${EVIDENCE_ORG:-acme}" \
  --data "$RUNNER_TEMP/evidence-service" --port 0 > "$log" 2>&1 < /dev/null &
service=$!
echo "pid=$service" >> "$GITHUB_OUTPUT"

for _ in $(seq 120); do
  address=$(sed -n 's/.* listens on \(http[^ ]*\) .*/\1/p' "$log")
  if [ -n "$address" ]; then
    printf 'base-url=%s\napi-key=%s\n' "$address" "$key" >> "$GITHUB_OUTPUT"
    echo "The embedded service runs at $address"
    exit 0
  fi
  kill -0 "$service" 2> /dev/null || break
  sleep 0.5
done
cat "$log"
echo '::error::The embedded service did not start'
exit 1
