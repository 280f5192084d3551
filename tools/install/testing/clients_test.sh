#!/bin/bash
# Tests programs that find the libraries by hand, by pkg-config and by make.
# shellcheck source=tools/install/testing/clients.sh
source tools/install/testing/clients.sh

# Compilers affect the code of clients, not the network. So clang compiles for
# one conduit.
for conduit in "${conduits[@]}"; do
  compilers=(gcc)
  [[ $conduit != "${conduits[0]}" ]] || compilers+=(clang)
  for mode in $(telling_modes "$conduit"); do
    for kind in "${kinds[@]}"; do
      for compiler in "${compilers[@]}"; do
        expect "C with $compiler, $conduit, $mode, $kind" \
          pkg_config_client "$conduit" "$mode" "$kind" "$compiler" -std=c11
      done
      expect "make, $conduit, $mode, $kind" \
        make_client "$conduit" "$mode" "$kind"
    done
  done
  for kind in -static -static-pie "-fPIE -pie" "-fno-pie -no-pie" "-fPIC -pie"; do
    read -ra flags <<<"$kind"
    for compiler in "${compilers[@]}"; do
      expect "as documented, $conduit, $compiler $kind" \
        as_documented "$conduit" par "$compiler" "${flags[@]}"
      expect "alone, $conduit, $compiler $kind" stands_alone
    done
  done
  expect "by hand, C, $conduit" by_hand "$conduit" par gcc c
  expect "by hand, C++, $conduit" by_hand "$conduit" par g++ c++
  expect "by hand, C++ linked by gcc, $conduit" by_hand "$conduit" seq gcc c++
done
for form in "${forms[@]}"; do
  for kind in "${kinds[@]}"; do
    expect "tools, C, $form, $kind" tools_client "$form" "$kind" c gcc -std=c11
    expect "tools, C++, $form, $kind" \
      tools_client "$form" "$kind" cc clang++ -std=c++17
    expect "tools, make, $form, $kind" make_tools_client "$form" "$kind"
  done
done

! $failed
