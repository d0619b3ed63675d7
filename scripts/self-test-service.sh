#!/usr/bin/env bash
# Gives the composites of the self-test a service: the one that is named by GIVEN_URL and GIVEN_KEY, or the embedded
# one, started here and left running for the steps that follow. Writes the outputs base-url and api-key, and pid where
# there is something to stop.
set -euo pipefail

if [ -n "$GIVEN_URL" ]; then
  printf 'base-url=%s\napi-key=%s\n' "$GIVEN_URL" "$GIVEN_KEY" >> "$GITHUB_OUTPUT"
  exit 0
fi

npm ci
key=$(openssl rand -hex 32)
echo "::add-mask::$key"
log=$RUNNER_TEMP/evidence-service.log
# A runner may end what the step leaves in its session.
detached=(nohup)
if type -P setsid > /dev/null; then detached=(setsid nohup); fi
EVIDENCE_ADMIN_KEY=$key "${detached[@]}" node_modules/.bin/node src/cli.ts serve \
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
