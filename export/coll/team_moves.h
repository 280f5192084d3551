// Turns the gasnet_coll_* calls that move data or reduce (gasnet/coll_moves.h)
// into requests. An address argument is one address, or a list of addresses in
// the M forms of the calls.
#ifndef EXPORT_COLL_TEAM_MOVES_H_
#define EXPORT_COLL_TEAM_MOVES_H_

#include <cstddef>

#include "base/log.h"
#include "coll/request.h"
#include "export/coll/front.h"
#include "export/coll/reduction_of.h"
#include "gasnet/coll_types.h"

namespace gasnet::exported {

// The arguments that all calls share.
struct TeamCall {
  const char* call;
  gasnet_team_handle_t team;
  int flags;
};

// An address argument of a call: one address, or a list of addresses. A list
// has one address for each image of the node (LOCAL) or of the team (SINGLE).
struct OneAddress {
  const void* address;
};
struct AddressList {
  void* const* list;
};

// The elements of gasnet_coll_reduce, and the function that combines them.
struct Elements {
  size_t elem_size;
  size_t elem_count;
  gasnet_coll_fn_handle_t func;
  int func_arg;
};

template <class P>
class TeamMoves {
 public:
  using Front = CollFront<P>;
  using Record = typename Front::Record;
  using Handle = gasnet_coll_handle_t;
  using Kind = coll::CollectiveKind;

  template <class List>
  static Handle Broadcast(const TeamCall& call, List dst, gasnet_image_t srcimg,
                          void* src, size_t nbytes) {
    Making making(call, Kind::kBroadcast, nbytes);
    making.SetDests(dst);
    making.SetRoot("srcimg", srcimg, src);
    return making.template Begin<List>();
  }

  template <class List>
  static Handle Scatter(const TeamCall& call, List dst, gasnet_image_t srcimg,
                        void* src, size_t nbytes) {
    Making making(call, Kind::kScatter, nbytes);
    making.SetDests(dst);
    making.SetRoot("srcimg", srcimg, src);
    making.RequireFits();
    return making.template Begin<List>();
  }

  template <class List>
  static Handle Gather(const TeamCall& call, gasnet_image_t dstimg, void* dst,
                       List src, size_t nbytes) {
    Making making(call, Kind::kGather, nbytes);
    making.SetSources(src);
    making.SetRoot("dstimg", dstimg, dst);
    making.RequireFits();
    return making.template Begin<List>();
  }

  // Begins a data movement without a root. kind is kGatherAll or kExchange.
  template <Kind kind, class List>
  static Handle Everywhere(const TeamCall& call, List dst, List src,
                           size_t nbytes) {
    Making making(call, kind, nbytes);
    making.SetDests(dst);
    making.SetSources(src);
    making.RequireFits();
    return making.template Begin<List>();
  }

  template <class List>
  static Handle Reduce(const TeamCall& call, gasnet_image_t dstimg, void* dst,
                       List src, const Elements& elements) {
    Making making(call, Kind::kReduce, 0);
    making.SetElements(elements);
    making.SetSources(src);
    making.SetRoot("dstimg", dstimg, dst);
    return making.template Begin<List>();
  }

 private:
  // A request under construction.
  class Making {
   public:
    Making(const TeamCall& call, Kind kind, size_t nbytes)
        : record_(Opened(call)),
          request_(Front::RequestOf(call.call, kind, nbytes, call.flags)) {}

    void SetDests(OneAddress one) { request_.dests = one.address; }
    void SetDests(AddressList lists) { request_.dests = Mine(lists); }
    void SetSources(OneAddress one) { request_.sources = one.address; }
    void SetSources(AddressList lists) { request_.sources = Mine(lists); }

    void SetRoot(const char* argument, gasnet_image_t image, void* area) {
      if (image >= record_.team.blocks()) [[unlikely]] {
        Fatal("%s: %s is %u; this team has images 0 to %u", request_.call,
              argument, image, record_.team.blocks() - 1);
      }
      request_.root = record_.team.owner_of(image);
      request_.root_name = image;
      request_.root_area = area;
    }

    void SetElements(const Elements& elements) {
      request_.reduction = FunctionReduction(
          P::calls().set_up, request_.call, elements.func, elements.func_arg,
          elements.elem_size, elements.elem_count);
      request_.nbytes = elements.elem_size * elements.elem_count;
    }

    void RequireFits() {
      Front::RequireFits(request_.call, record_.team.blocks(), request_.nbytes);
    }

    template <class List>
    Handle Begin() {
      constexpr bool kOfNode = std::is_same_v<List, AddressList>;
      return Front::BeginAsImage(record_, request_, kOfNode);
    }

   private:
    static Record& Opened(const TeamCall& call) {
      Front::OpenWithModes(call.call, call.flags);
      return P::calls().teams.Find(call.call, call.team);
    }

    coll::Addresses Mine(AddressList lists) const {
      if (lists.list == nullptr) [[unlikely]]
        Fatal("%s: a list of addresses is NULL", request_.call);
      const auto& team = record_.team;
      const size_t first = request_.single ? team.first_image(team.me()) : 0;
      return {lists.list + first, team.images(team.me())};
    }

    Record& record_;
    coll::CollectiveRequest request_;
  };
};

}  // namespace gasnet::exported

#endif  // EXPORT_COLL_TEAM_MOVES_H_
