# Reads the table of installed libraries; see libraries.bzl. Sourced.
# shellcheck shell=bash

# The path is absolute, since the test may leave its first directory.
libraries_table=$(echo "$PWD"/tools/install/libraries*.txt)

installed_conduits() { sed -n 's/^gasnet-\(.*\)-par|.*/\1/p' "$libraries_table"; }

# network_libraries LIBRARY: prints the libraries that a program links for the
# network, as -lX.
network_libraries() {
  sed -n "s/^$1|\([^|]*|\)\{5\}\([^|]*\)|.*/\2/p" "$libraries_table"
}
