// Chooses the CPUs on which each rank may run.
#ifndef TOOLS_GASNETRUN_BINDING_H_
#define TOOLS_GASNETRUN_BINDING_H_

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace gasnet::gasnetrun {

enum class Binding { kNone, kCpu, kCore, kSpread };

inline constexpr char kBindingNames[] = "none, cpu, core, spread";
std::optional<Binding> ParseBinding(std::string_view name);

// Returns the CPUs of every rank. `cores` has the usable CPUs, grouped by core.
// Returns an empty vector for kNone.
std::vector<std::vector<int>> AssignCpus(
    Binding binding, uint32_t ranks,
    const std::vector<std::vector<int>>& cores);

// Does the same as AssignCpus in a job on several hosts, but only for the ranks
// on `host`. All other ranks get no CPUs. `host_of` is indexed by rank.
std::vector<std::vector<int>> AssignCpusOnHost(
    Binding binding, const std::vector<uint32_t>& host_of, uint32_t host,
    const std::vector<std::vector<int>>& cores);

// Returns the CPUs that this process may use, grouped by core.
std::vector<std::vector<int>> AllowedCores();

}  // namespace gasnet::gasnetrun

#endif  // TOOLS_GASNETRUN_BINDING_H_
