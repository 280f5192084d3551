#include "tools/gasnetrun/binding.h"

#include <algorithm>
#include <fstream>

#include "absl/container/flat_hash_map.h"
#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "base/cpu.h"
#include "base/env_parse.h"

namespace gasnet::gasnetrun {
namespace {

using CpuSets = std::vector<std::vector<int>>;

std::string CoreOf(int cpu) {
  std::ifstream siblings(absl::StrCat("/sys/devices/system/cpu/cpu", cpu,
                                      "/topology/thread_siblings_list"));
  std::string core;
  // If the topology is unknown, every CPU is a core.
  return std::getline(siblings, core) ? core : absl::StrCat(cpu);
}

std::vector<int> Flatten(const CpuSets& cores) {
  std::vector<int> cpus;
  for (const auto& core : cores)
    cpus.insert(cpus.end(), core.begin(), core.end());
  return cpus;
}

CpuSets InTurn(uint32_t ranks, const CpuSets& sets) {
  CpuSets assigned;
  for (uint32_t rank = 0; rank < ranks; ++rank) {
    assigned.push_back(sets[rank % sets.size()]);
  }
  return assigned;
}

CpuSets OneByOne(const std::vector<int>& cpus) {
  CpuSets sets;
  for (const int cpu : cpus) sets.push_back({cpu});
  return sets;
}

// Divides the CPUs evenly. Neighbouring ranks get neighbouring CPUs. If there
// are more ranks than CPUs, some ranks share a CPU.
CpuSets Spread(uint32_t ranks, const std::vector<int>& cpus) {
  CpuSets assigned;
  for (uint64_t rank = 0; rank < ranks; ++rank) {
    const size_t first = rank * cpus.size() / ranks;
    const size_t end = std::max((rank + 1) * cpus.size() / ranks, first + 1);
    assigned.emplace_back(cpus.begin() + static_cast<ptrdiff_t>(first),
                          cpus.begin() + static_cast<ptrdiff_t>(end));
  }
  return assigned;
}

}  // namespace

std::optional<Binding> ParseBinding(std::string_view name) {
  static constexpr std::pair<std::string_view, Binding> kNames[] = {
      {"none", Binding::kNone},
      {"cpu", Binding::kCpu},
      {"core", Binding::kCore},
      {"spread", Binding::kSpread}};
  for (const auto& [known, binding] : kNames) {
    if (absl::EqualsIgnoreCase(name, known)) return binding;
  }
  return std::nullopt;
}

CpuSets AssignCpus(Binding binding, uint32_t ranks, const CpuSets& cores) {
  switch (binding) {
    case Binding::kNone:
      break;
    case Binding::kCpu:
      return InTurn(ranks, OneByOne(Flatten(cores)));
    case Binding::kCore:
      return InTurn(ranks, cores);
    case Binding::kSpread:
      return Spread(ranks, Flatten(cores));
  }
  return {};
}

CpuSets AssignCpusOnHost(Binding binding, const std::vector<uint32_t>& host_of,
                         uint32_t host, const CpuSets& cores) {
  const auto ranks = std::count(host_of.begin(), host_of.end(), host);
  CpuSets mine = AssignCpus(binding, static_cast<uint32_t>(ranks), cores);
  if (mine.empty()) return {};
  CpuSets all(host_of.size());
  auto next = mine.begin();
  for (size_t rank = 0; rank < all.size(); ++rank) {
    if (host_of[rank] == host) all[rank] = std::move(*next++);
  }
  return all;
}

CpuSets AllowedCores() {
  absl::flat_hash_map<std::string, size_t> index;
  CpuSets cores;
  for (const int cpu : AllowedCpus()) {
    const auto [core, is_new] = index.emplace(CoreOf(cpu), cores.size());
    if (is_new) cores.emplace_back();
    cores[core->second].push_back(cpu);
  }
  return cores;
}

}  // namespace gasnet::gasnetrun
