// Results that a call stores where its client wants them.
#ifndef EXPORT_EX_OUT_ARGUMENT_H_
#define EXPORT_EX_OUT_ARGUMENT_H_

namespace gasnet::exported {

// to: the client's, or null if it wants none.
template <class T>
void Set(T* to, const T& value) {
  if (to != nullptr) *to = value;
}

}  // namespace gasnet::exported

#endif  // EXPORT_EX_OUT_ARGUMENT_H_
