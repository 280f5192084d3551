#include "gasnet_tools/config.h"
#include "gasnet_tools/src/export.h"

// The symbol of this library's form; see gasnet_tools/config.h.
GASNETTI_EXPORT const char GASNETTI_FORM_SYMBOL;
const char GASNETTI_FORM_SYMBOL = 1;
