/* GASNet-EX: kinds of memory. This header compiles alone, and before or after
 * gasnetex.h.
 */
#ifndef GASNET_MK_H_
#define GASNET_MK_H_

#include "gasnetex.h"

#include "gasnet/ex_kinds.h"

#endif /* GASNET_MK_H_ */
