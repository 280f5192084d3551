#!/bin/bash
# Tests one client of each kind, with the libraries of PAR alone. These are the
# most likely to break, and take a fraction of the time of the other tests here.
# shellcheck disable=SC2034 # of prefix.sh
installer=install_par
# shellcheck source=tools/install/testing/clients.sh
source tools/install/testing/clients.sh

for conduit in "${conduits[@]}"; do
  expect "pkg-config, $conduit" pkg_config_client "$conduit" par static gcc -std=c11
  expect "make, $conduit" make_client "$conduit" par shared
  expect "by hand, $conduit" by_hand "$conduit" par g++ c++
  expect "for no conduit, $conduit" of_no_conduit "$conduit" par
  expect "for any conduit, $conduit" of_no_conduit "$conduit" par any-conduit
  expect "as documented, $conduit" as_documented "$conduit" par clang -fPIE -pie
  expect "alone, $conduit" stands_alone
done
expect "tools" tools_client par static c gcc -std=c11
expect "tools, make" make_tools_client par shared

portals() {
  # shellcheck disable=SC2046 # several words
  gcc "$here/portals_client.c" -o portals_client \
    $(pkg-config --cflags --libs gasnet-portals4) &&
    [[ $(./portals_client) == portals ]]
}
expect "portals" portals

cmake_client() {
  mkdir -p project
  cat >project/CMakeLists.txt <<PROJECT
cmake_minimum_required(VERSION 3.16)
project(client LANGUAGES C CXX)
find_package(GASNet REQUIRED COMPONENTS ${conduits[1]}_par)
add_executable(client $here/client.c)
target_link_libraries(client GASNet::${conduits[1]}_par)
PROJECT
  cmake -S project -B project/build "-DCMAKE_PREFIX_PATH=$prefix" &&
    make -s -C project/build && run "${conduits[1]}" project/build/client
}
if command -v cmake >/dev/null; then
  expect "cmake" quietly cmake_client
else
  echo "SKIP: cmake is not installed"
fi

! $failed
