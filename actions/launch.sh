#!/usr/bin/env bash
# Runs dist/<name>/index.js of this action with the first Node.js that serves. Called from a composite step as
#   "$GITHUB_ACTION_PATH/../launch.sh" <name>
# No process but the version check of a Node on PATH and the check of NODE_OPTIONS where a job sets them, so that it adds
# next to nothing to the step, and no syntax that bash 3.2 (macOS) or Git Bash does not know.
# The working directory stays the step's. Node takes this process's place: signals and the exit status are its own.
set -eu
# What a job may have turned on for every shell, by SHELLOPTS, BASHOPTS, POSIXLY_CORRECT or BASH_ENV: each would hide a
# Node that is there.
set +fo posix
shopt -u failglob nocasematch
unset GLOBIGNORE
# Where the kernel refuses a Node (another C library, another processor), the next place is tried.
shopt -s execfail

container_externals=/__e
alpine_marker=/etc/alpine-release
version_seconds=10

fail() {
  printf '::error title=%s::%s\n' "$1" "$2"
  exit 1
}

# Becomes Node when $1 is a program, and returns when it is not.
serve() {
  if [ -f "$1" ] && [ -x "$1" ]; then
    [ -z "${NODE_OPTIONS:-}" ] || check_options "$1"
    exec "$1" "$main" || true
  fi
}

# Ends the step when $1 is a Node that does not start with the options of the job; Node itself says why.
check_options() {
  local status=0
  "$1" --eval 0 >/dev/null || status=$?
  case $status in
    # 126 and 127: it is none that the kernel takes.
    0 | 126 | 127) ;;
    *) fail 'NODE_OPTIONS' 'Node.js does not start with the NODE_OPTIONS of this job: see the lines above. Set NODE_OPTIONS to an empty text for this step, or correct it' ;;
  esac
}

# Keeps in $version what $1 says of itself, or nothing when it says nothing in time; then it is ended. Node writes the end
# of its line by itself, so that the line with its pid may come in between: `v24.4.0pid=12`.
ask_version() {
  local line pid=
  version=
  while IFS= read -r -t "$version_seconds" line; do
    case $line in
      *pid=*) pid=${line#*pid=} version=${line%pid=*} ;;
      *) version=$line ;;
    esac
    [ -z "$version" ] || return 0
  done < <(
    exec 2>/dev/null
    "$1" --version </dev/null &
    echo "pid=$!"
    wait
  )
  if [ -n "$pid" ]; then kill -KILL "$pid" 2>/dev/null || true; fi
}

# Keeps in $newest the program of the highest version among the paths $2..., which start with $1, "24.<minor>.<patch>/".
# A version is compared as numbers: 24.9.0 comes before 24.11.0.
choose_newest() {
  local prefix=$1 path version minor patch best_minor=-1 best_patch=-1
  newest=
  shift
  for path in "$@"; do
    [ -x "$path" ] || continue
    version=${path#"$prefix"24.}
    version=${version%%/*}
    minor=${version%%.*}
    patch=${version#*.}
    case "$minor$patch" in '' | *[!0-9]*) continue ;; esac
    if [ "$minor" -gt "$best_minor" ] || { [ "$minor" -eq "$best_minor" ] && [ "$patch" -gt "$best_patch" ]; }; then
      best_minor=$minor best_patch=$patch newest=$path
    fi
  done
}

name=${1:-}
case $name in
  '' | *[!a-z0-9-]*) fail 'Unknown action' 'launch.sh needs the name of one action, such as attest' ;;
esac
root=${GITHUB_ACTION_PATH:+$GITHUB_ACTION_PATH/../..}
main=${root:-${0%/*}/..}/dist/$name/index.js
[ -f "$main" ] || fail 'Action is incomplete' \
  "dist/$name/index.js is missing: check the name of the action, or use a released version of it"

# Later steps of the job start faster with what the first one compiled.
if [ -n "${RUNNER_TEMP:-}" ] && [ -z "${NODE_COMPILE_CACHE+set}" ]; then
  export NODE_COMPILE_CACHE="$RUNNER_TEMP/delivery-evidence-cache"
fi

# 1. A container job: the runner mounts its own Node, one for glibc and one for Alpine.
for node in "$container_externals"/node24*/bin/node; do
  case $node in
    */node24_alpine/bin/node) [ -e "$alpine_marker" ] || continue ;;
    *) [ ! -e "$alpine_marker" ] || continue ;;
  esac
  serve "$node"
done

# 2. A self-hosted runner: <runner>/_work/_temp is its temporary folder, <runner>/externals has its Node.
if [ -n "${RUNNER_TEMP:-}" ]; then
  serve "$RUNNER_TEMP/../../externals/node24/bin/node"
  serve "$RUNNER_TEMP/../../externals/node24/bin/node.exe"
fi

# 3. The tool cache of GitHub's images, or of an earlier setup-node: for this machine's processor, else for any.
if [ -n "${RUNNER_TOOL_CACHE:-}" ]; then
  cache=$RUNNER_TOOL_CACHE/node/
  case ${RUNNER_ARCH:-} in
    X64) arch=x64 ;;
    X86) arch=x86 ;;
    ARM64) arch=arm64 ;;
    ARM) arch=arm ;;
    *) arch=any ;;
  esac
  choose_newest "$cache" "$cache"24.*/"$arch"/bin/node "$cache"24.*/"$arch"/node.exe
  serve "$newest"
  choose_newest "$cache" "$cache"24.*/*/bin/node "$cache"24.*/*/node.exe
  serve "$newest"
fi

# 4. Node on PATH, the only one whose version has to be asked.
found='none was found'
node=$(type -P node) || node=
if [ -n "$node" ]; then
  ask_version "$node"
  case ${version#v} in
    *[!0-9A-Za-z.+-]* | [!0-9]* | '') found='the one on PATH does not tell its version' ;;
    *.*.*)
      found="PATH has $version"
      major=${version#v}
      minor=${major#*.}
      major=${major%%.*}
      minor=${minor%%.*}
      case "$major$minor" in
        *[!0-9]*) ;;
        *) if [ "$major" -gt 22 ] || { [ "$major" -eq 22 ] && [ "$minor" -ge 19 ]; }; then serve "$node"; fi ;;
      esac
      ;;
  esac
fi

fail 'Node.js is missing' \
  "This action needs Node.js 22.19 or later, and $found. Install Node.js 24 with actions/setup-node before this step, or update the runner"
