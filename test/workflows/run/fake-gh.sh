#!/bin/sh
# Stands in for gh: keeps the secrets of one repository in the folder of FAKE_GH, one file each, and notes how it was
# asked. A file `refuses` there holds what it says to its next requests of that kind.
echo "$*" >> "$FAKE_GH/asked"
if [ "$GH_TOKEN" != "token-for-secrets" ]; then echo "HTTP 401: Bad credentials" >&2; exit 1; fi
if [ -e "$FAKE_GH/refuses-$2" ]; then cat "$FAKE_GH/refuses-$2" >&2; exit 1; fi
case "$1 $2" in
  "secret list") ls "$FAKE_GH/secrets" ;;
  "secret set") cat > "$FAKE_GH/secrets/$3" ;;
  *) echo "unknown command $*" >&2; exit 1 ;;
esac
