// Credit: how much of a receiver's memory one rank may fill on one lane before
// it hears that some of it was handled. Used by networks that would keep, lose
// or refuse messages for which the receiver has no room.
//
//   sender    left: window --Take--> less --GiveBack--> more
//   receiver  owed: 0 --Handled--> more --TakeOwed, in a frame--> 0
//
// left + on the way + waiting for handlers + owed + on the way back = window. A
// receiver whose memory holds the windows of all its peers is never sent a
// message that it has no room for, whatever the network does.
//
// Counted in units of the bytes that frames take at the receiver. Not
// thread-safe.
#ifndef CORE_AM_CREDIT_H_
#define CORE_AM_CREDIT_H_

#include <cstddef>
#include <cstdint>

namespace gasnet::am {

using CreditUnits = uint16_t;
inline constexpr size_t kCreditUnitBytes = 64;

// Returns the units that a frame takes. They must fit CreditUnits.
constexpr CreditUnits CreditFor(size_t bytes) {
  return static_cast<CreditUnits>((bytes + kCreditUnitBytes - 1) /
                                  kCreditUnitBytes);
}

// The sender's side.
class SendCredit {
 public:
  explicit SendCredit(CreditUnits window) : left_(window) {}

  CreditUnits left() const { return left_; }
  // Returns false, with no effect, if there is not that much left.
  bool Take(CreditUnits units) {
    if (units > left_) return false;
    left_ = static_cast<CreditUnits>(left_ - units);
    return true;
  }
  // Returns false, with no effect, if that would be more than was ever taken:
  // then it cannot come from the peer.
  bool GiveBack(CreditUnits units, CreditUnits window) {
    if (units > window - left_) return false;
    left_ = static_cast<CreditUnits>(left_ + units);
    return true;
  }

 private:
  CreditUnits left_;
};

// The receiver's side.
class ReceiveCredit {
 public:
  void Handled(CreditUnits units) {
    owed_ = static_cast<CreditUnits>(owed_ + units);
  }
  // Returns true if the sender must hear of it even if no frame goes there:
  // half of its window is owed. So it goes on while the rest is handled.
  bool IsDue(CreditUnits window) const { return owed_ >= (window + 1) / 2; }
  CreditUnits TakeOwed() {
    const CreditUnits owed = owed_;
    owed_ = 0;
    return owed;
  }
  CreditUnits owed() const { return owed_; }

 private:
  CreditUnits owed_ = 0;
};

}  // namespace gasnet::am

#endif  // CORE_AM_CREDIT_H_
