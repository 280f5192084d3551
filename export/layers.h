// The layers that stand on the runtime, bottom up, and what gasnet_attach tells
// each of them. A new one is added to AllLayers, and its C functions to
// a file here; docs/LAYERS.md has the rest.
#ifndef EXPORT_LAYERS_H_
#define EXPORT_LAYERS_H_

#include <concepts>

#include "coll/collectives.h"
#include "extended/extended.h"
#include "vis/transfers.h"

namespace gasnet::exported {

template <class L>
concept Layer = requires {
  // Called by gasnet_attach before messages can arrive.
  { L::RegisterHandlers() } -> std::same_as<void>;

  // Called by gasnet_attach on every rank, once the runtime is attached. Others
  // may be through with it and have sent messages: so it does not poll, lest
  // the client's handlers run before this rank is attached itself.
  { L::Start() } -> std::same_as<void>;
};

template <Layer... All>
struct Layers {
  static void RegisterHandlers() { (All::RegisterHandlers(), ...); }
  static void Start() { (All::Start(), ...); }
};

using AllLayers = Layers<extended::Extended, coll::Collectives, vis::Transfers>;

}  // namespace gasnet::exported

#endif  // EXPORT_LAYERS_H_
