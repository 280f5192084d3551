/* GASNet-EX: atomic operations on remote memory. This header compiles alone,
 * and before or after gasnetex.h. */
#ifndef GASNET_RATOMIC_H_
#define GASNET_RATOMIC_H_

#include "gasnetex.h"

#include "gasnet/ex_atomics.h"

#endif /* GASNET_RATOMIC_H_ */
