/* The part of gasnet.h that belongs to the udp conduit. */
#ifndef GASNET_CONDUIT_H_
#define GASNET_CONDUIT_H_

#define GASNET_CONDUIT_NAME UDP
#define GASNET_CONDUIT_UDP 1

/* Each host chooses the addresses of its segments. */
#define GASNET_ALIGNED_SEGMENTS 0

#endif /* GASNET_CONDUIT_H_ */
