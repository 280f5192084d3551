/* The part of gasnet.h that belongs to the smp conduit. */
#ifndef GASNET_CONDUIT_H_
#define GASNET_CONDUIT_H_

#define GASNET_CONDUIT_NAME SMP
#define GASNET_CONDUIT_SMP 1

/* All segments are at the same address. Under GASNET_SEGMENT_EVERYTHING there
 * are no separate segments. */
#if defined(GASNET_SEGMENT_EVERYTHING)
#define GASNET_ALIGNED_SEGMENTS 0
#else
#define GASNET_ALIGNED_SEGMENTS 1
#endif

#endif /* GASNET_CONDUIT_H_ */
