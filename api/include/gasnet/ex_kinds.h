/* GASNet-EX: kinds of memory other than GEX_MK_HOST. This header needs no
 * threading mode. No device is supported. */
#ifndef GASNET_EX_KINDS_H_
#define GASNET_EX_KINDS_H_

#include "gasnet/ex_types.h"

GASNETI_EXTERN_C_BEGIN

/* Interfaces to devices. GASNET_HAVE_MK_CLASS_* says which ones are supported.
 */
typedef enum {
  GEX_MK_CLASS_HOST,
  GEX_MK_CLASS_CUDA_UVA,
  GEX_MK_CLASS_HIP,
  GEX_MK_CLASS_ZE
} gex_MK_Class_t;

/* Arguments of gex_MK_Create: the kind to make. Unused members are zero. */
typedef struct {
  uint64_t gex_flags; /* 0 */
  gex_MK_Class_t gex_class;
  union {
    struct {
      int gex_CUdevice;
    } gex_class_cuda_uva;
    struct {
      int gex_hipDevice;
    } gex_class_hip;
    struct {
      void *gex_zeDevice;
      void *gex_zeContext;
      uint32_t gex_zeMemoryOrdinal;
    } gex_class_ze;
  } gex_args;
} gex_MK_Create_args_t;

/* Makes a kind. flags: 0. Returns GASNET_OK; GASNET_ERR_BAD_ARG for a class
 * that is not supported; GASNET_ERR_RESOURCE if the device cannot support the
 * kind. The class GEX_MK_CLASS_HOST is fatal. Legal in main-line code only. */
int gex_MK_Create(gex_MK_t *kind_p, gex_Client_t client,
                  const gex_MK_Create_args_t *args, gex_Flags_t flags);

/* Ends a kind. No segment of this kind may have been made. flags: 0. Legal in
 * main-line code only. */
void gex_MK_Destroy(gex_MK_t kind, gex_Flags_t flags);

/* Set and return the client's data of a kind, initially NULL; return the
 * kind's flags, client and class. GEX_MK_HOST is not a legal argument. Legal
 * anywhere. */
void gex_MK_SetCData(gex_MK_t mk, const void *val);
void *gex_MK_QueryCData(gex_MK_t mk);
gex_Flags_t gex_MK_QueryFlags(gex_MK_t mk);
gex_Client_t gex_MK_QueryClient(gex_MK_t mk);
gex_MK_Class_t gex_MK_QueryClass(gex_MK_t mk);

GASNETI_EXTERN_C_END

#endif /* GASNET_EX_KINDS_H_ */
