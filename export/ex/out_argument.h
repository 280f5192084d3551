// Results that a call stores at an address of the client's.
#ifndef EXPORT_EX_OUT_ARGUMENT_H_
#define EXPORT_EX_OUT_ARGUMENT_H_

namespace gasnet::exported {

// Stores a result. to: the client's address, or null if it does not want the
// result.
template <class T>
void Set(T* to, const T& value) {
  if (to != nullptr) *to = value;
}

}  // namespace gasnet::exported

#endif  // EXPORT_EX_OUT_ARGUMENT_H_
