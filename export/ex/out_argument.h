// Stores results of a call at addresses that the client gives.
#ifndef EXPORT_EX_OUT_ARGUMENT_H_
#define EXPORT_EX_OUT_ARGUMENT_H_

namespace gasnet::exported {

// Stores a result at `to`, an address that the client gives. Does nothing if
// `to` is null: the client then does not want the result.
template <class T>
void Set(T* to, const T& value) {
  if (to != nullptr) *to = value;
}

}  // namespace gasnet::exported

#endif  // EXPORT_EX_OUT_ARGUMENT_H_
