/* The part of gasnet.h that belongs to the ofi conduit. */
#ifndef GASNET_CONDUIT_H_
#define GASNET_CONDUIT_H_

#define GASNET_CONDUIT_NAME OFI
#define GASNET_CONDUIT_OFI 1

/* 0: segments are not aligned. Each host chooses the addresses of its
   segments. */
#define GASNET_ALIGNED_SEGMENTS 0

#endif /* GASNET_CONDUIT_H_ */
