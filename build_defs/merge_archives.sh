#!/bin/bash
# Merges all OBJECTs and, from each ARCHIVE, the members that they need. An
# archive among the OBJECTs is merged completely. See merged_archive.bzl.
set -euo pipefail

out=$1 cc=$2 objcopy=$3 ar=$4 exported=$5
shift 5
whole=()
while [[ $1 != -- ]]; do
  whole+=("$1")
  shift
done
shift

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
object=$work/$(basename "$out" .a).o

# COMDAT groups must be removed while all symbols still share one name space.
# Otherwise the linker would discard a group with local symbols if a client has
# a group of that name.
"$cc" -r -nostdlib -fuse-ld=bfd -Wl,--force-group-allocation -o "$object" \
  -Wl,--whole-archive "${whole[@]}" -Wl,--no-whole-archive \
  -Wl,--start-group "$@" -Wl,--end-group

# objcopy cannot make a unique symbol local, but it can make a weak one local.
weaken=()
mapfile -t unique < <(nm "$object" | awk '$2 == "u" { print $3 }')
for symbol in "${unique[@]}"; do
  weaken+=("--weaken-symbol=$symbol")
done

keep=()
IFS=, read -ra patterns <<<"$exported"
for pattern in "${patterns[@]}"; do
  keep+=("--keep-global-symbol=$pattern")
done
"$objcopy" "${weaken[@]}" "$object"
# Compresses line tables. They serve only backtraces, so they are rarely read,
# and they are the largest part.
"$objcopy" --wildcard "${keep[@]}" --compress-debug-sections=zlib "$object"
rm -f "$out"
"$ar" rcsD "$out" "$object"
