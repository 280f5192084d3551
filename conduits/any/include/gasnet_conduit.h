/* The part of gasnet.h that belongs to the library with all conduits. A program
 * that is compiled with this file can also be linked with the library of any
 * single conduit.
 */
#ifndef GASNET_CONDUIT_H_
#define GASNET_CONDUIT_H_

#define GASNET_CONDUIT_NAME ANY
#define GASNET_CONDUIT_ANY 1

/* Not 1, because alignment of segments depends on the chosen conduit. */
#define GASNET_ALIGNED_SEGMENTS 0

#endif /* GASNET_CONDUIT_H_ */
