/* The part of gasnet.h that belongs to the fake conduit. */
#ifndef GASNET_CONDUIT_H_
#define GASNET_CONDUIT_H_

#define GASNET_CONDUIT_NAME FAKE
#define GASNET_CONDUIT_FAKE 1

/* The kernel chooses the address of each segment. */
#define GASNET_ALIGNED_SEGMENTS 0

#endif /* GASNET_CONDUIT_H_ */
