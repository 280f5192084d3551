// A message or a piece under way in a simulated world (world.h).
#ifndef COLL_TESTING_FLIGHT_H_
#define COLL_TESTING_FLIGHT_H_

#include <cstddef>
#include <cstdint>

#include "coll/fabric.h"
#include "coll/header.h"
#include "coll/testing/client_memory.h"
#include "core/am/message.h"
#include "core/rank.h"

namespace gasnet::coll::testing {

struct Flight {
  enum class Type : uint8_t { kMessage, kPiece, kLoanEnd, kTransfer };
  Type type = Type::kMessage;
  Rank from = 0;
  Rank to = 0;
  HeaderWords words{};
  size_t count = 0;
  Bytes bytes{};
  uint64_t landing = 0;
  uint64_t address = 0;
  size_t offset = 0;
  const std::byte* lent = nullptr;
  size_t nbytes = 0;
  am::Loan* loan = nullptr;
  Moves* moves = nullptr;
  uint64_t depth = 0;
};

}  // namespace gasnet::coll::testing

#endif  // COLL_TESTING_FLIGHT_H_
