#!/usr/bin/env bash
# Lints the Helm charts and renders them, with helm on the PATH or, where Go is installed, with one that Go builds. Says
# so if neither is there. With --api-server it also builds kube-apiserver, and runs the tests against a real one.
#
#   scripts/lint-charts.sh [--api-server]
set -euo pipefail
cd "$(dirname "$0")/.."

HELM_VERSION=v3.22.0
KUBERNETES=1.34.1
charts=docs/deployment/charts
bin=

if type -P go > /dev/null; then
  bin=$(go env GOPATH)/bin
  PATH=$PATH:$bin
fi
if [ "${1:-}" = --api-server ] && ! type -P kube-apiserver > /dev/null; then
  [ -n "$bin" ] || { echo "Go is not installed: kube-apiserver cannot be built" >&2; exit 1; }
  work=$(mktemp -d)
  trap 'rm -rf "$work"' EXIT
  # Its module replaces others by folders, so it is built as a dependency.
  (
    cd "$work"
    printf 'package main\n\nimport _ "k8s.io/kubernetes/cmd/kube-apiserver/app"\n\nfunc main() {}\n' > main.go
    go mod init apiserver
    go mod download -json "k8s.io/kubernetes@v$KUBERNETES" | sed -n 's/.*"GoMod": "\(.*\)".*/\1/p' > path
    sed -n 's|^[[:space:]]*\(k8s.io/[^ ]*\) => ./staging.*|\1|p' "$(cat path)" | while read -r module; do
      go mod edit -replace "$module=$module@v0.${KUBERNETES#1.}"
    done
    go mod edit -require "k8s.io/kubernetes@v$KUBERNETES"
    go mod tidy
    go build -o "$bin/kube-apiserver" k8s.io/kubernetes/cmd/kube-apiserver
  )
fi
if ! type -P helm > /dev/null; then
  if [ -z "$bin" ]; then
    echo "Neither helm nor Go is installed: the charts were not checked"
    exit 0
  fi
  go install "helm.sh/helm/v3/cmd/helm@$HELM_VERSION"
fi

reporter=(--set baseUrl=https://evidence.example.com --set reporterConfig.kosliOrg=acme
  --set 'reporterConfig.environments[0].name=production')
service=(--set publicUrl=https://evidence.example.com)
helm lint --quiet --strict "$charts/k8s-reporter" "${reporter[@]}"
helm lint --quiet --strict "$charts/delivery-evidence" "${service[@]}"
helm template release "$charts/k8s-reporter" "${reporter[@]}" > /dev/null
helm template release "$charts/delivery-evidence" "${service[@]}" > /dev/null
echo "helm has nothing to say"
if [ "${1:-}" = --api-server ]; then
  REAL_CLUSTER=true npm test -- --project programs test/e2e/real-cluster.test.ts
fi
