#!/bin/bash
# merge_archives.sh OUT CC OBJCOPY AR EXPORTED[,...] OWN.a... -- FOREIGN.a...
#
# See merged_archive.bzl. OWN goes in whole, of FOREIGN what is referred to.
set -euo pipefail

out=$1 cc=$2 objcopy=$3 ar=$4 exported=$5
shift 5
own=() foreign=()
while [[ $1 != -- ]]; do
  own+=("$1")
  shift
done
shift
foreign=("$@")

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
name=$(basename "$out" .a | tr -c '[:alnum:]\n' _)
object=$work/$(basename "$out" .a).o

# COMDAT groups must go while everything still is one name space: a group whose
# symbols are local would be thrown away for a client's group of that name.
"$cc" -r -nostdlib -fuse-ld=bfd -Wl,--force-group-allocation -o "$object" \
  -Wl,--whole-archive "${own[@]}" -Wl,--no-whole-archive \
  -Wl,--start-group "${foreign[@]}" -Wl,--end-group

# objcopy cannot make a unique symbol local, so those get names of our own.
renames=$work/renames
nm "$object" | awk -v stem="gasneti_private_$name" \
  '$2 == "u" { print $3, stem "_" NR }' >"$renames"

keep=()
IFS=, read -ra patterns <<<"$exported"
for pattern in "${patterns[@]}"; do
  keep+=("--keep-global-symbol=$pattern")
done
"$objcopy" --redefine-syms="$renames" "$object"
"$objcopy" --wildcard "${keep[@]}" "$object"
rm -f "$out"
"$ar" rcsD "$out" "$object"
