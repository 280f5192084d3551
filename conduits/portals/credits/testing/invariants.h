// Checks the invariants between lenders and borrowers after each step. Keeps
// its own count of the messages on their way, and of the credits announced,
// lent and given back.
//
//   I1   bank + loans = total
//   I2   loan = send + lent on its way + returned on its way
//   I3   in use <= send; being served <= loan
//   I4   send >= the credits of the largest message
//   I5   one system message at a time for each loan
//   I9   loan <= the maximum of a peer; lent in an epoch <= the limit plus the
//        credits that one request can ask for; returned between two ends of
//        epochs <= the limit
//   I11  a message of a lender reports the end of an epoch if and only if an
//        epoch has ended after the previous message to this borrower; the
//        borrower's values decay once per report, and at no other time
#ifndef CONDUITS_PORTALS_CREDITS_TESTING_INVARIANTS_H_
#define CONDUITS_PORTALS_CREDITS_TESTING_INVARIANTS_H_

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "absl/container/flat_hash_map.h"
#include "conduits/portals/credits/credit_byte.h"
#include "conduits/portals/credits/credits.h"
#include "core/rank.h"

namespace gasnet::portals_conduit::credits {

class Invariants {
 public:
  using Books = std::vector<Credits>;

  // `books` holds the credits of all ranks. The vector must outlive this
  // object.
  Invariants(const Books& books, const CreditSettings& settings,
             uint16_t least);

  // Returns the first invariant that was broken, with its ranks. Returns "" if
  // all invariants have held.
  const std::string& failure() const { return failure_; }
  void Fail(std::string_view what, Rank lender, Rank borrower);

  // --- Before() precedes a step of `at` with `peer`; the others follow it ---
  void Before(Rank at, Rank peer);
  void Sent(Rank at, Rank peer, CreditByte request);
  void RequestCame(Rank at, Rank peer, CreditByte request);
  void Replied(Rank at, Rank peer, CreditByte reply);
  void ReplyCame(Rank at, Rank peer, CreditByte reply);
  void AskedBack(Rank at, Rank peer, bool epoch);
  void AskedForBack(Rank at, Rank peer, bool epoch, CreditAnswer answer);
  void CameBack(Rank at, Rank peer, CreditAnswer answer);

  // Checks the sums over all peers of a rank.
  void Recount(Rank at);

 private:
  // The counts of the credits that a lender lends to a borrower.
  struct Loan {
    uint32_t lent_under_way = 0;
    uint32_t returned_under_way = 0;
    uint32_t lent = 0;      // in the lender's epoch `lent_in`
    uint32_t returned = 0;  // after the borrower last learned of an epoch's end
    uint64_t lent_in = 0;
    uint64_t told = 0;  // ends of epochs that the borrower knows of
    bool system = false;
  };

  Loan& Of(Rank lender, Rank borrower) {
    return loans_[uint64_t{lender} << 32 | borrower];
  }
  void Told(Rank at, Rank peer, bool epoch);
  void Heard(Rank at, Rank peer, bool epoch, unsigned returned);
  void After(Rank at, Rank peer);
  void CheckLoan(Rank lender, Rank borrower);

  const Books& books_;
  const CreditSettings settings_;
  const uint16_t least_;
  absl::flat_hash_map<uint64_t, Loan> loans_;
  // indexed by lender: credits lent to all borrowers
  std::vector<uint64_t> lent_;
  std::string failure_;
  PeerCredits before_;
  uint64_t epochs_before_ = 0;
};

}  // namespace gasnet::portals_conduit::credits

#endif  // CONDUITS_PORTALS_CREDITS_TESTING_INVARIANTS_H_
