#include "conduits/portals/credits/testing/invariants.h"

#include "absl/strings/str_cat.h"

namespace gasnet::portals_conduit::credits {

Invariants::Invariants(const Books& books, const CreditSettings& settings,
                       uint16_t least)
    : books_(books), settings_(settings), least_(least) {
  for (const Credits& book : books) lent_.push_back(book.total() - book.bank());
}

void Invariants::Fail(std::string_view what, Rank lender, Rank borrower) {
  if (!failure_.empty()) return;
  failure_ = absl::StrCat(what, ": what rank ", lender, " lends to ", borrower);
}

void Invariants::Before(Rank at, Rank peer) {
  before_ = books_[at].Look(peer);
  epochs_before_ = books_[at].counters().epochs;
}

void Invariants::Told(Rank at, Rank peer, bool epoch) {
  Loan& loan = Of(at, peer);
  if (epoch != (epochs_before_ > loan.told)) Fail("I11 (telling)", at, peer);
  loan.told = epochs_before_;
}

void Invariants::Heard(Rank at, Rank peer, bool epoch, unsigned returned) {
  const PeerCredits now = books_[at].Look(peer);
  const unsigned shift = epoch ? 2 : 0;
  if (now.send_max != before_.send_max >> shift ||
      now.stalls != before_.stalls >> shift ||
      now.revoked != (before_.revoked >> shift) + returned) {
    Fail("I11 (decay)", peer, at);
  }
  if (epoch) Of(peer, at).returned = 0;
}

void Invariants::CheckLoan(Rank lender, Rank borrower) {
  const PeerCredits here = books_[lender].Look(borrower);
  const PeerCredits there = books_[borrower].Look(lender);
  const Loan& loan = Of(lender, borrower);
  if (here.loan != there.send + loan.lent_under_way + loan.returned_under_way) {
    Fail("I2", lender, borrower);
  }
  if (there.in_use > there.send || here.serving > here.loan) {
    Fail("I3", lender, borrower);
  }
  if (there.send < least_) Fail("I4", lender, borrower);
  if (here.loan > settings_.max_per_node ||
      here.loan_given > settings_.lender_limit + kMaxExtra ||
      loan.lent > settings_.lender_limit + kMaxExtra ||
      loan.returned > settings_.revoke_limit) {
    Fail("I9", lender, borrower);
  }
}

void Invariants::After(Rank at, Rank peer) {
  const Credits& book = books_[at];
  lent_[at] += book.Look(peer).loan;
  lent_[at] -= before_.loan;
  if (book.bank() + lent_[at] != book.total()) Fail("I1", at, peer);
  CheckLoan(at, peer);
  CheckLoan(peer, at);
}

void Invariants::Sent(Rank at, Rank peer, CreditByte request) {
  Told(at, peer, request.epoch);
  After(at, peer);
}

void Invariants::RequestCame(Rank at, Rank peer, CreditByte request) {
  Heard(at, peer, request.epoch, 0);
  After(at, peer);
}

void Invariants::Replied(Rank at, Rank peer, CreditByte reply) {
  Told(at, peer, reply.epoch);
  Loan& loan = Of(at, peer);
  loan.lent_under_way += reply.extra;
  if (loan.lent_in != epochs_before_) loan.lent = 0;
  loan.lent_in = epochs_before_;
  loan.lent += reply.extra;
  After(at, peer);
}

void Invariants::ReplyCame(Rank at, Rank peer, CreditByte reply) {
  Heard(at, peer, reply.epoch, 0);
  Of(peer, at).lent_under_way -= reply.extra;
  After(at, peer);
}

void Invariants::AskedBack(Rank at, Rank peer, bool epoch) {
  Told(at, peer, epoch);
  bool& system = Of(at, peer).system;
  if (system) Fail("I5", at, peer);
  system = true;
  After(at, peer);
}

void Invariants::AskedForBack(Rank at, Rank peer, bool epoch,
                              CreditAnswer answer) {
  Heard(at, peer, epoch, answer.returned);
  Told(at, peer, answer.epoch);
  Loan& loan = Of(peer, at);
  loan.returned_under_way += answer.returned;
  loan.returned += answer.returned;
  After(at, peer);
}

void Invariants::CameBack(Rank at, Rank peer, CreditAnswer answer) {
  Heard(at, peer, answer.epoch, 0);
  Loan& loan = Of(at, peer);
  loan.returned_under_way -= answer.returned;
  loan.system = false;
  After(at, peer);
}

void Invariants::Recount(Rank at) {
  const Credits& book = books_[at];
  uint64_t lent = 0;
  for (Rank peer = 0; peer < book.ranks(); ++peer) lent += book.Look(peer).loan;
  if (book.bank() + lent != book.total()) Fail("I1 (all)", at, at);
}

}  // namespace gasnet::portals_conduit::credits
