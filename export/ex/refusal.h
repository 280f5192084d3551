// Reports the errors that GASNet-EX's calls return.
#ifndef EXPORT_EX_REFUSAL_H_
#define EXPORT_EX_REFUSAL_H_

namespace gasnet::exported {

// Returns the error, and prints the message unless the client has silenced
// error messages (gex_System_SetVerboseErrors).
[[gnu::cold, gnu::format(printf, 2, 3)]] int Refuse(int error,
                                                    const char* format, ...);

}  // namespace gasnet::exported

#endif  // EXPORT_EX_REFUSAL_H_
