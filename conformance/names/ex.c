// Uses every name of gasnetex.h and gasnet_fwd.h, in C and in C++. This file is
// only compiled, never run.
#include <gasnetex.h>

#if !((GASNET_RELEASE_VERSION_MAJOR) && (GEX_SPEC_VERSION_MINOR) &&    \
      (GASNET_MAXNODES) && (GASNET_MAXEPS) && (GASNET_PAGESIZE) &&     \
      (GASNET_NULL_ARGV_OK) && (GASNET_SUPPORTS_TI_SRCRANK) &&         \
      (GASNET_SUPPORTS_TI_EP) && (GASNET_SUPPORTS_TI_ENTRY) &&         \
      (GASNET_SUPPORTS_TI_IS_REQ) && (GASNET_SUPPORTS_TI_IS_LONG) &&   \
      (GASNET_SUPPORTS_AM_CANCEL) && (GASNET_SUPPORTS_AM_COMMIT_V2) && \
      (GASNET_HAVE_MK_CLASS_HOST) && (SIZEOF_GEX_RMA_VALUE_T) &&       \
      (GEX_AM_INDEX_BASE))
#error "a constant is missing"
#endif
#if !(((GASNET_RELEASE_VERSION_MINOR + 1)) &&                              \
      ((GASNET_RELEASE_VERSION_PATCH + 1)) &&                              \
      ((GEX_SPEC_VERSION_MAJOR + 1)) && ((GASNET_ALIGNED_SEGMENTS + 1)) && \
      ((GASNET_HIDDEN_AM_CONCURRENCY_LEVEL + 1)))
#error "a constant is missing"
#endif
#if !(                                                                         \
    (GEX_DT_I32) && (GEX_DT_U32) && (GEX_DT_I64) && (GEX_DT_U64) &&            \
    (GEX_DT_FLT) && (GEX_DT_DBL) && (GEX_DT_USER) && (GEX_OP_ADD) &&           \
    (GEX_OP_SUB) && (GEX_OP_MULT) && (GEX_OP_MIN) && (GEX_OP_MAX) &&           \
    (GEX_OP_INC) && (GEX_OP_DEC) && (GEX_OP_AND) && (GEX_OP_OR) &&             \
    (GEX_OP_XOR) && (GEX_OP_SET) && (GEX_OP_CAS) && (GEX_OP_FADD) &&           \
    (GEX_OP_FSUB) && (GEX_OP_FMULT) && (GEX_OP_FMIN) && (GEX_OP_FMAX) &&       \
    (GEX_OP_FINC) && (GEX_OP_FDEC) && (GEX_OP_FAND) && (GEX_OP_FOR) &&         \
    (GEX_OP_FXOR) && (GEX_OP_SWAP) && (GEX_OP_FCAS) && (GEX_OP_GET) &&         \
    (GEX_OP_USER) && (GEX_OP_USER_NC) && (GEX_OP_CSWAP) &&                     \
    (GEX_EP_CAPABILITY_RMA) && (GEX_EP_CAPABILITY_AM) &&                       \
    (GEX_EP_CAPABILITY_VIS) && (GEX_EP_CAPABILITY_COLL) &&                     \
    (GEX_EP_CAPABILITY_AD) && (GEX_EP_CAPABILITY_ALL) &&                       \
    (GEX_FLAG_IMMEDIATE) && (GEX_FLAG_AD_MY_RANK) && (GEX_FLAG_AD_MY_NBRHD) && \
    (GEX_FLAG_AD_FAVOR_MY_RANK) && (GEX_FLAG_AD_FAVOR_MY_NBRHD) &&             \
    (GEX_FLAG_AD_FAVOR_REMOTE) && (GEX_FLAG_AD_ACQ) && (GEX_FLAG_AD_REL) &&    \
    (GEX_FLAG_RANK_IS_JOBRANK) && (GEX_FLAG_AM_PREPARE_LEAST_CLIENT) &&        \
    (GEX_FLAG_AM_PREPARE_LEAST_ALLOC) && (GEX_FLAG_SELF_SEG_UNKNOWN) &&        \
    (GEX_FLAG_SELF_SEG_SOME) && (GEX_FLAG_SELF_SEG_BOUND) &&                   \
    (GEX_FLAG_SELF_SEG_OFFSET) && (GEX_FLAG_PEER_SEG_UNKNOWN) &&               \
    (GEX_FLAG_PEER_SEG_SOME) && (GEX_FLAG_PEER_SEG_BOUND) &&                   \
    (GEX_FLAG_PEER_SEG_OFFSET) && (GEX_FLAG_TM_SCRATCH_SIZE_MIN) &&            \
    (GEX_FLAG_TM_SCRATCH_SIZE_RECOMMENDED) && (GEX_FLAG_TM_GLOBAL_SCRATCH) &&  \
    (GEX_FLAG_TM_LOCAL_SCRATCH) && (GEX_FLAG_TM_SYMMETRIC_SCRATCH) &&          \
    (GEX_FLAG_TM_NO_SCRATCH) && (GEX_FLAG_SCRATCH_SEG_OFFSET) &&               \
    (GEX_FLAG_GLOBALLY_QUIESCED) && (GEX_FLAG_USES_GASNET1) &&                 \
    (GEX_FLAG_DEFER_THREADS) && (GEX_FLAG_AM_SHORT) && (GEX_FLAG_AM_MEDIUM) && \
    (GEX_FLAG_AM_LONG) && (GEX_FLAG_AM_MEDLONG) && (GEX_FLAG_AM_REQUEST) &&    \
    (GEX_FLAG_AM_REPLY) && (GEX_FLAG_AM_REQREP) &&                             \
    (GEX_FLAG_ENABLE_LEAF_LC) && (GEX_FLAG_HINT_ACCEL_AD) &&                   \
    (GEX_FLAG_HINT_ACCEL_COLL) && (GEX_FLAG_HINT_ACCEL_ALL) &&                 \
    (GEX_FLAG_PEER_NEVER_SELF) && (GEX_FLAG_PEER_NEVER_NBRHD))
#error "a flag, operation or type is missing or no preprocessor constant"
#endif
#if GEX_OP_TO_FETCHING(GEX_OP_ADD | GEX_OP_SET | GEX_OP_CAS) != \
        (GEX_OP_FADD | GEX_OP_SWAP | GEX_OP_FCAS) ||            \
    GEX_OP_TO_NONFETCHING(GEX_OP_FXOR | GEX_OP_SWAP) !=         \
        (GEX_OP_XOR | GEX_OP_SET)
#error "a set of operations has another set of partners"
#endif
#if defined(GASNET_DEBUG) + defined(GASNET_NDEBUG) != 1
#error "a library has checks or not"
#endif
#if defined(GASNET_CONDUIT_SMP) + defined(GASNET_CONDUIT_UDP) +         \
        defined(GASNET_CONDUIT_OFI) + defined(GASNET_CONDUIT_PORTALS) + \
        defined(GASNET_CONDUIT_ANY) !=                                  \
    1
#error "there is one conduit"
#endif
#if defined(GASNET_PSHM) && GASNET_PSHM != 1
#error "GASNET_PSHM is 1 where it is defined"
#endif

static gex_Client_t client = GEX_CLIENT_INVALID;
static gex_EP_t ep = GEX_EP_INVALID;
static gex_TM_t tm = GEX_TM_INVALID;
static gex_Segment_t segment = GEX_SEGMENT_INVALID;
static gex_MK_t kind = GEX_MK_INVALID;
static gex_Event_t event = GEX_EVENT_INVALID;
static gex_Token_t token;
static gex_AM_SrcDesc_t sd = GEX_AM_SRCDESC_NO_OP;
static gex_Rank_t rank = GEX_RANK_INVALID;
static gex_EP_Index_t ep_index = GEX_EP_INDEX_INVALID;
static gex_Flags_t flags;
static gex_AM_Index_t handler;
static gex_RMA_Value_t value;
static gex_EC_t mask = GEX_EC_ALL;
static gex_TI_t ti = GEX_TI_ALL;
static gex_EP_Capabilities_t capabilities;
static gex_EP_Location_t location;
static gex_Addr_t address;
static gex_HSL_t hsl = GEX_HSL_INITIALIZER;
static gex_Memvec_t piece;
static gex_AM_Entry_t entry;
static gex_Token_Info_t info;
static gex_RankInfo_t *ranks;
static const gex_ProgressThreadInfo_t *threads;
static gasnet_seginfo_t segments;
static gasnet_nodeinfo_t nodes;
static size_t size;
static uintptr_t length;
static uint64_t large;
static unsigned int count;
static int number;
static void *memory;
static const void *source = &number;
static const char *text;
static char *string;
static char ***argv;

static void Short(gex_Token_t from, gex_AM_Arg_t arg) {
  (void)from;
  (void)arg;
}
static void *Progress(void *arg) { return arg; }

static void UseStructures(void) {
  const gex_AM_Entry_t positional = {GEX_AM_INDEX_BASE,
                                     (gex_AM_Fn_t)Short,
                                     GEX_FLAG_AM_SHORT | GEX_FLAG_AM_REQREP,
                                     1,
                                     &size,
                                     "short"};
  gex_ProgressThreadInfo_t thread;
  thread.gex_device_list = text;
  thread.gex_thread_roles = GEX_THREAD_ROLE_RCV | GEX_THREAD_ROLE_SND;
  thread.gex_progress_fn = Progress;
  thread.gex_progress_arg = memory;
  threads = &thread;
  entry.gex_index = positional.gex_index;
  entry.gex_fnptr = positional.gex_fnptr;
  entry.gex_flags = positional.gex_flags;
  entry.gex_nargs = positional.gex_nargs;
  entry.gex_cdata = positional.gex_cdata;
  entry.gex_name = positional.gex_name;
  info.gex_srcrank = rank;
  info.gex_ep = ep;
  info.gex_entry = &entry;
  info.gex_is_req = info.gex_is_long = number;
  location.gex_rank = ranks[0].gex_jobrank;
  location.gex_ep_index = ep_index;
  piece.gex_addr = segments.addr;
  piece.gex_len = segments.size;
  rank = nodes.host + nodes.supernode;
}

static void UseConstants(void) {
  gex_Event_t *const options[] = {GEX_EVENT_NOW, GEX_EVENT_DEFER,
                                  GEX_EVENT_GROUP};
  const int numbers[gex_AM_MaxArgs() + 1] = {GASNET_OK,
                                             GASNET_ERR_NOT_INIT,
                                             GASNET_ERR_RESOURCE,
                                             GASNET_ERR_BAD_ARG,
                                             GASNET_ERR_NOT_READY,
                                             GASNET_ERR_BARRIER_MISMATCH,
                                             GASNET_WAIT_SPIN,
                                             GASNET_WAIT_BLOCK,
                                             GASNET_WAIT_SPINBLOCK,
                                             GASNET_BARRIERFLAG_ANONYMOUS,
                                             GASNET_BARRIERFLAG_MISMATCH,
                                             GASNET_BARRIERFLAG_UNNAMED};
  const char *const texts[] = {
      GASNET_CONDUIT_NAME_STR,     GASNET_CORE_NAME_STR,
      GASNET_CORE_VERSION_STR,     GASNET_EXTENDED_NAME_STR,
      GASNET_EXTENDED_VERSION_STR, GASNET_CONFIG_STRING};
  event = GEX_EVENT_NO_OP;
  kind = GEX_MK_HOST;
  mask = GEX_EC_GET | GEX_EC_PUT | GEX_EC_AM | GEX_EC_LC | GEX_EC_RMW;
  ti = GEX_TI_SRCRANK | GEX_TI_EP | GEX_TI_ENTRY | GEX_TI_IS_REQ |
       GEX_TI_IS_LONG;
  number = options[0] != options[1] && numbers[0] == 0 && texts[0] != NULL;
}

static void UseCalls(void) {
  number = gex_Client_Init(&client, &ep, &tm, text, &number, argv, flags);
  flags = gex_Client_QueryFlags(client);
  text = gex_Client_QueryName(client);
  gex_Client_SetCData(client, source);
  memory = gex_Client_QueryCData(client);
  gex_Segment_SetCData(segment, source);
  memory = gex_Segment_QueryCData(segment);
  gex_TM_SetCData(tm, source);
  memory = gex_TM_QueryCData(tm);
  gex_EP_SetCData(ep, source);
  memory = gex_EP_QueryCData(ep);
  rank = gex_System_QueryJobRank();
  rank = gex_System_QueryJobSize();
  number = gex_System_GetVerboseErrors();
  gex_System_SetVerboseErrors(number);
  large = gex_System_QueryMaxThreads();
  number = gex_System_QueryHiddenAMConcurrencyLevel();
  gex_System_QueryNbrhdInfo(&ranks, &rank, &rank);
  gex_System_QueryHostInfo(&ranks, &rank, &rank);
  gex_System_QueryMyPosition(&rank, &rank, &rank, &rank);
  number = gex_System_QueryProgressThreads(client, &count, &threads, flags);
  client = gex_EP_QueryClient(ep);
  flags = gex_EP_QueryFlags(ep);
  segment = gex_EP_QuerySegment(ep);
  ep_index = gex_EP_QueryIndex(ep);
  number = gex_EP_Create(&ep, client, capabilities, flags);
  number = gex_EP_RegisterHandlers(ep, &entry, size);
  number = gex_EP_BindSegment(ep, segment, flags);
  number = gex_EP_PublishBoundSegment(tm, &ep, size, flags);
  event =
      gex_EP_QueryBoundSegmentNB(tm, rank, &memory, &memory, &length, flags);
  number = gex_Segment_QueryBound(tm, rank, &memory, &memory, &length);
  client = gex_Segment_QueryClient(segment);
  flags = gex_Segment_QueryFlags(segment);
  memory = gex_Segment_QueryAddr(segment);
  length = gex_Segment_QuerySize(segment);
  number = gex_Segment_Attach(&segment, tm, length);
  number = gex_Segment_Create(&segment, client, address, length, kind, flags);
  gex_Segment_Destroy(segment, flags);
  client = gex_TM_QueryClient(tm);
  ep = gex_TM_QueryEP(tm);
  flags = gex_TM_QueryFlags(tm);
  rank = gex_TM_QueryRank(tm);
  rank = gex_TM_QuerySize(tm);
  size = gex_TM_Split(&tm, tm, number, number, memory, size, flags);
  size = gex_TM_Create(&tm, size, tm, &location, size, &address, size, flags);
  number = gex_TM_Destroy(tm, &piece, flags);
  tm = gex_TM_Pair(ep, ep_index);
  rank = gex_TM_TranslateRankToJobrank(tm, rank);
  rank = gex_TM_TranslateJobrankToRank(tm, rank);
  location = gex_TM_TranslateRankToEP(tm, rank, flags);
  number = gex_Event_Test(event);
  gex_Event_Wait(event);
  number = gex_Event_TestSome(&event, size, flags);
  gex_Event_WaitSome(&event, size, flags);
  number = gex_Event_TestAll(&event, size, flags);
  gex_Event_WaitAll(&event, size, flags);
  event = gex_Event_QueryLeaf(event, mask);
  gex_NBI_BeginAccessRegion(flags);
  event = gex_NBI_EndAccessRegion(flags);
  number = gex_NBI_Test(mask, flags);
  gex_NBI_Wait(mask, flags);
  count = gex_AM_MaxArgs();
  size = gex_AM_MaxRequestLong(tm, rank, &event, flags, count);
  size = gex_AM_MaxReplyLong(tm, rank, &event, flags, count);
  size = gex_AM_MaxRequestMedium(tm, rank, &event, flags, count);
  size = gex_AM_MaxReplyMedium(tm, rank, &event, flags, count);
  size = gex_AM_LUBRequestLong();
  size = gex_AM_LUBReplyLong();
  size = gex_AM_LUBRequestMedium();
  size = gex_AM_LUBReplyMedium();
  size = gex_Token_MaxReplyLong(token, &event, flags, count);
  size = gex_Token_MaxReplyMedium(token, &event, flags, count);
  ti = gex_Token_Info(token, &info, ti);
  memory = gex_AM_SrcDescAddr(sd);
  size = gex_AM_SrcDescSize(sd);
  sd = gex_AM_PrepareRequestMedium(tm, rank, source, size, size, &event, flags,
                                   count);
  sd = gex_AM_PrepareRequestLong(tm, rank, source, size, size, memory, &event,
                                 flags, count);
  sd = gex_AM_PrepareReplyMedium(token, source, size, size, &event, flags,
                                 count);
  sd = gex_AM_PrepareReplyLong(token, source, size, size, memory, &event, flags,
                               count);
  number = gex_AM_CancelRequestMedium(sd, flags);
  number = gex_AM_CancelRequestLong(sd, flags);
  number = gex_AM_CancelReplyMedium(sd, flags);
  number = gex_AM_CancelReplyLong(sd, flags);
  number = gex_RMA_PutBlocking(tm, rank, memory, source, size, flags);
  number = gex_RMA_PutNBI(tm, rank, memory, source, size, &event, flags);
  event = gex_RMA_PutNB(tm, rank, memory, source, size, &event, flags);
  number = gex_RMA_GetBlocking(tm, memory, rank, memory, size, flags);
  number = gex_RMA_GetNBI(tm, memory, rank, memory, size, flags);
  event = gex_RMA_GetNB(tm, memory, rank, memory, size, flags);
  value = gex_RMA_GetBlockingVal(tm, rank, memory, size, flags);
  number = gex_RMA_PutBlockingVal(tm, rank, memory, value, size, flags);
  number = gex_RMA_PutNBIVal(tm, rank, memory, value, size, flags);
  event = gex_RMA_PutNBVal(tm, rank, memory, value, size, flags);
  gex_HSL_Init(&hsl);
  gex_HSL_Destroy(&hsl);
  gex_HSL_Lock(&hsl);
  gex_HSL_Unlock(&hsl);
  number = gex_HSL_Trylock(&hsl);
  event = gex_Coll_BarrierNB(tm, flags);
  string = gasnet_getenv(text);
  text = gasnet_ErrorName(number);
  text = gasnet_ErrorDesc(number);
  number = gasnet_AMPoll();
  number = gasnet_set_waitmode(number);
  gasnet_barrier_notify(number, number);
  number = gasnet_barrier_wait(number, number);
  number = gasnet_barrier_try(number, number);
  number = gasnet_barrier(number, number);
  number = gasnet_barrier_result(&number);
  length = gasnet_getMaxLocalSegmentSize();
  length = gasnet_getMaxGlobalSegmentSize();
  number = gasnet_getSegmentInfo(&segments, number);
  number = gasnet_getNodeInfo(&nodes, number);
  gex_Coll_BarrierBlocking(tm, flags);
  gasnet_client_attach_hook = NULL;
  gasnet_exit(number);
}

// Some functions have the number of arguments in their name (RequestShort2).
// Others count their arguments (RequestShort).
#define A0
#define A1 , 1
#define A2 A1, 2
#define A3 A2, 3
#define A4 A3, 4
#define A5 A4, 5
#define A6 A5, 6
#define A7 A6, 7
#define A8 A7, 8
#define A9 A8, 9
#define A10 A9, 10
#define A11 A10, 11
#define A12 A11, 12
#define A13 A12, 13
#define A14 A13, 14
#define A15 A14, 15
#define A16 A15, 16
#define SEND(m)                                                                \
  number = gex_AM_RequestShort##m(tm, rank, handler, flags A##m);              \
  number = gex_AM_RequestShort(tm, rank, handler, flags A##m);                 \
  number = gex_AM_RequestMedium##m(tm, rank, handler, source, size,            \
                                   GEX_EVENT_NOW, flags A##m);                 \
  number = gex_AM_RequestMedium(tm, rank, handler, source, size,               \
                                GEX_EVENT_NOW, flags A##m);                    \
  number = gex_AM_RequestLong##m(tm, rank, handler, source, size, memory,      \
                                 GEX_EVENT_NOW, flags A##m);                   \
  number = gex_AM_RequestLong(tm, rank, handler, source, size, memory,         \
                              GEX_EVENT_NOW, flags A##m);                      \
  number = gex_AM_ReplyShort##m(token, handler, flags A##m);                   \
  number = gex_AM_ReplyShort(token, handler, flags A##m);                      \
  number = gex_AM_ReplyMedium##m(token, handler, source, size, GEX_EVENT_NOW,  \
                                 flags A##m);                                  \
  number = gex_AM_ReplyMedium(token, handler, source, size, GEX_EVENT_NOW,     \
                              flags A##m);                                     \
  number = gex_AM_ReplyLong##m(token, handler, source, size, memory,           \
                               GEX_EVENT_NOW, flags A##m);                     \
  number = gex_AM_ReplyLong(token, handler, source, size, memory,              \
                            GEX_EVENT_NOW, flags A##m);                        \
  gex_AM_CommitRequestMedium##m(sd, handler, size A##m);                       \
  number = gex_AM_CommitRequestMedium##m##_v2(sd, handler, size, flags A##m);  \
  gex_AM_CommitRequestMedium(sd, handler, size A##m);                          \
  number = gex_AM_CommitRequestMedium_v2(sd, handler, size, flags A##m);       \
  gex_AM_CommitRequestLong##m(sd, handler, size, memory A##m);                 \
  number =                                                                     \
      gex_AM_CommitRequestLong##m##_v2(sd, handler, size, memory, flags A##m); \
  gex_AM_CommitRequestLong(sd, handler, size, memory A##m);                    \
  number = gex_AM_CommitRequestLong_v2(sd, handler, size, memory, flags A##m); \
  gex_AM_CommitReplyMedium##m(sd, handler, size A##m);                         \
  number = gex_AM_CommitReplyMedium##m##_v2(sd, handler, size, flags A##m);    \
  gex_AM_CommitReplyMedium(sd, handler, size A##m);                            \
  number = gex_AM_CommitReplyMedium_v2(sd, handler, size, flags A##m);         \
  gex_AM_CommitReplyLong##m(sd, handler, size, memory A##m);                   \
  number =                                                                     \
      gex_AM_CommitReplyLong##m##_v2(sd, handler, size, memory, flags A##m);   \
  gex_AM_CommitReplyLong(sd, handler, size, memory A##m);                      \
  number = gex_AM_CommitReplyLong_v2(sd, handler, size, memory, flags A##m);

static void UseMessages(void) {
  SEND(0)
  SEND(1)
  SEND(2)
  SEND(3)
  SEND(4)
  SEND(5)
  SEND(6)
  SEND(7)
  SEND(8)
  SEND(9)
  SEND(10)
  SEND(11)
  SEND(12)
  SEND(13)
  SEND(14)
  SEND(15)
  SEND(16)
}

static void UseThreads(gasnet_threadinfo_t posted) {
  GASNET_POST_THREADINFO(posted);
  GASNET_BLOCKUNTIL(number != 0);
}

int main(void) {
  GASNET_BEGIN_FUNCTION();
  UseConstants();
  UseStructures();
  UseThreads(GASNET_GET_THREADINFO());
  UseCalls();
  UseMessages();
  return 0;
}
