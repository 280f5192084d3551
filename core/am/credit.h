// Credit: the part of a receiver's memory that one rank may fill on one lane
// before the receiver reports that messages were handled. Used by networks that
// would otherwise keep, lose or refuse messages for which the receiver has no
// room.
//
//     sender    left: window --Take--> less --GiveBack--> more
//     receiver  owed: 0 --Handled--> more --TakeOwed, in a frame--> 0
//
// The invariant: left + in flight + waiting for handlers + owed + on the way
// back = window. If a receiver has memory for the windows of all its peers, it
// has room for every message that it gets.
//
// Credit is counted in units of the bytes that frames take at the receiver. The
// classes are not thread-safe.
#ifndef CORE_AM_CREDIT_H_
#define CORE_AM_CREDIT_H_

#include <cstddef>
#include <cstdint>

namespace gasnet::am {

using CreditUnits = uint16_t;
inline constexpr size_t kCreditUnitBytes = 64;

// Returns the number of units that a frame of `bytes` bytes takes. The result
// must fit CreditUnits.
constexpr CreditUnits CreditFor(size_t bytes) {
  return static_cast<CreditUnits>((bytes + kCreditUnitBytes - 1) /
                                  kCreditUnitBytes);
}

// The credit that a sender has left at one receiver.
class SendCredit {
 public:
  explicit SendCredit(CreditUnits window) : left_(window) {}

  CreditUnits left() const { return left_; }
  // Takes units. Returns false, with no effect, if fewer units are left.
  bool Take(CreditUnits units) {
    if (units > left_) return false;
    left_ = static_cast<CreditUnits>(left_ - units);
    return true;
  }
  // Adds units that came back. Returns false, with no effect, if more units
  // come back than were taken. A correct peer never sends so many.
  bool GiveBack(CreditUnits units, CreditUnits window) {
    if (units > window - left_) return false;
    left_ = static_cast<CreditUnits>(left_ + units);
    return true;
  }

 private:
  CreditUnits left_;
};

// The credit that a receiver owes to one sender.
class ReceiveCredit {
 public:
  void Handled(CreditUnits units) {
    owed_ = static_cast<CreditUnits>(owed_ + units);
  }
  // Returns true if half of the window is owed. Credit must then be returned
  // even without a frame that carries it. The sender can then continue while
  // this receiver handles the rest.
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
