// Uses every name of the other headers of GASNet-EX, and the types that are the
// same in both interfaces. This file is only compiled as C and as C++, never
// run.
#include <gasnet.h>
#include <gasnet_coll.h>
#include <gasnet_mk.h>
#include <gasnet_ratomic.h>
#include <gasnet_vis.h>

#if GEX_VIS_MAX_PEERCOMPLETION < 127 || GASNET_SPEC_VERSION_MAJOR != 1 || \
    GASNET_SPEC_VERSION_MINOR != 8 ||                                     \
    SIZEOF_GASNET_REGISTER_VALUE_T != SIZEOF_GEX_RMA_VALUE_T
#error "a constant has another value"
#endif

static gex_Client_t client;
static gex_EP_t ep;
static gex_Segment_t segment;
static gex_TM_t tm;
static gex_MK_t kind;
static gex_AD_t ad = GEX_AD_INVALID;
static gex_Event_t event;
static gex_Rank_t rank;
static gex_Flags_t flags;
static gex_DT_t dt = GEX_DT_I32;
static gex_OP_t op = GEX_OP_ADD;
static gex_AM_Index_t handler;
static gex_Memvec_t piece;
static gex_MK_Class_t class_of = GEX_MK_CLASS_HOST;
static gex_MK_Create_args_t kind_args;
static ptrdiff_t stride;
static size_t size;
static int number;
static void *memory;
static const void *source = &number;
static int32_t i32;
static uint32_t u32;
static int64_t i64;
static uint64_t large;
static float flt;
static double dbl;

static void Function(const void *left, void *right, size_t n,
                     const void *data) {
  (void)left;
  (void)right;
  (void)n;
  (void)data;
}
static gex_Coll_ReduceFn_t function = Function;

static void UseCalls(void) {
  // Names of gasnet_coll.h.
  event = gex_Coll_BroadcastNB(tm, rank, memory, source, size, flags);
  event = gex_Coll_ReduceToOneNB(tm, rank, memory, source, dt, size, size, op,
                                 function, memory, flags);
  event = gex_Coll_ReduceToAllNB(tm, memory, source, dt, size, size, op,
                                 function, memory, flags);
  // Names of gasnet_vis.h.
  event = gex_VIS_VectorPutNB(tm, rank, size, &piece, size, &piece, flags);
  number = gex_VIS_VectorPutNBI(tm, rank, size, &piece, size, &piece, flags);
  number =
      gex_VIS_VectorPutBlocking(tm, rank, size, &piece, size, &piece, flags);
  event = gex_VIS_VectorGetNB(tm, size, &piece, rank, size, &piece, flags);
  number = gex_VIS_VectorGetNBI(tm, size, &piece, rank, size, &piece, flags);
  number =
      gex_VIS_VectorGetBlocking(tm, size, &piece, rank, size, &piece, flags);
  event = gex_VIS_IndexedPutNB(tm, rank, size, &memory, size, size, &memory,
                               size, flags);
  number = gex_VIS_IndexedPutNBI(tm, rank, size, &memory, size, size, &memory,
                                 size, flags);
  number = gex_VIS_IndexedPutBlocking(tm, rank, size, &memory, size, size,
                                      &memory, size, flags);
  event = gex_VIS_IndexedGetNB(tm, size, &memory, size, rank, size, &memory,
                               size, flags);
  number = gex_VIS_IndexedGetNBI(tm, size, &memory, size, rank, size, &memory,
                                 size, flags);
  number = gex_VIS_IndexedGetBlocking(tm, size, &memory, size, rank, size,
                                      &memory, size, flags);
  event = gex_VIS_StridedPutNB(tm, rank, memory, &stride, memory, &stride, size,
                               &size, size, flags);
  number = gex_VIS_StridedPutNBI(tm, rank, memory, &stride, memory, &stride,
                                 size, &size, size, flags);
  number = gex_VIS_StridedPutBlocking(tm, rank, memory, &stride, memory,
                                      &stride, size, &size, size, flags);
  event = gex_VIS_StridedGetNB(tm, memory, &stride, rank, memory, &stride, size,
                               &size, size, flags);
  number = gex_VIS_StridedGetNBI(tm, memory, &stride, rank, memory, &stride,
                                 size, &size, size, flags);
  number = gex_VIS_StridedGetBlocking(tm, memory, &stride, rank, memory,
                                      &stride, size, &size, size, flags);
  gex_VIS_SetPeerCompletionHandler(handler, source, size, flags);
  // Names of gasnet_ratomic.h.
  gex_AD_Create(&ad, tm, dt, op, flags);
  gex_AD_Destroy(ad);
  flags = gex_AD_QueryFlags(ad);
  tm = gex_AD_QueryTM(ad);
  dt = gex_AD_QueryDT(ad);
  op = gex_AD_QueryOps(ad);
  gex_AD_SetCData(ad, source);
  memory = gex_AD_QueryCData(ad);
  event = gex_AD_OpNB_I32(ad, &i32, rank, memory, op, i32, i32, flags);
  number = gex_AD_OpNBI_I32(ad, &i32, rank, memory, op, i32, i32, flags);
  event = gex_AD_OpNB_U32(ad, &u32, rank, memory, op, u32, u32, flags);
  number = gex_AD_OpNBI_U32(ad, &u32, rank, memory, op, u32, u32, flags);
  event = gex_AD_OpNB_I64(ad, &i64, rank, memory, op, i64, i64, flags);
  number = gex_AD_OpNBI_I64(ad, &i64, rank, memory, op, i64, i64, flags);
  event = gex_AD_OpNB_U64(ad, &large, rank, memory, op, large, large, flags);
  number = gex_AD_OpNBI_U64(ad, &large, rank, memory, op, large, large, flags);
  event = gex_AD_OpNB_FLT(ad, &flt, rank, memory, op, flt, flt, flags);
  number = gex_AD_OpNBI_FLT(ad, &flt, rank, memory, op, flt, flt, flags);
  event = gex_AD_OpNB_DBL(ad, &dbl, rank, memory, op, dbl, dbl, flags);
  number = gex_AD_OpNBI_DBL(ad, &dbl, rank, memory, op, dbl, dbl, flags);
  // Names of gasnet_mk.h.
  number = gex_MK_Create(&kind, client, &kind_args, flags);
  gex_MK_Destroy(kind, flags);
  gex_MK_SetCData(kind, source);
  memory = gex_MK_QueryCData(kind);
  flags = gex_MK_QueryFlags(kind);
  client = gex_MK_QueryClient(kind);
  class_of = gex_MK_QueryClass(kind);
}

static void UseStructures(void) {
  kind_args.gex_flags = large;
  kind_args.gex_class = GEX_MK_CLASS_CUDA_UVA;
  kind_args.gex_args.gex_class_cuda_uva.gex_CUdevice = number;
  kind_args.gex_class = GEX_MK_CLASS_HIP;
  kind_args.gex_args.gex_class_hip.gex_hipDevice = number;
  kind_args.gex_class = GEX_MK_CLASS_ZE;
  kind_args.gex_args.gex_class_ze.gex_zeDevice = memory;
  kind_args.gex_args.gex_class_ze.gex_zeContext = memory;
  kind_args.gex_args.gex_class_ze.gex_zeMemoryOrdinal = u32;
}

// Passes pointers to types of each interface to functions of the other
// interface.
static void UseBoth(void) {
  gasnet_node_t *const node_at = &rank;
  gasnet_handle_t *const handle_at = &event;
  gasnet_handler_t *const handler_at = &handler;
  gex_Token_t token = NULL;
  gasnet_token_t *const token_at = &token;
  gex_AM_Arg_t arg = 0;
  gasnet_handlerarg_t *const arg_at = &arg;
  gex_RMA_Value_t value = 0;
  gasnet_register_value_t *const value_at = &value;
  gex_HSL_t lock = GASNET_HSL_INITIALIZER;
  gasnet_hsl_t *const lock_at = &lock;
  gasnet_hsl_lock(lock_at);
  number = *handler_at + *arg_at + (*token_at == NULL) + (*value_at == 0) +
           (*handle_at == GASNET_INVALID_HANDLE) +
           (*node_at == gasnet_mynode());
  gasnet_QueryGexObjects(&client, &ep, &tm, &segment);
}

int main(void) {
  UseCalls();
  UseStructures();
  UseBoth();
  return 0;
}
