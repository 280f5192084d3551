// The C functions of gasnet_vis.h.
#include "export/observed.h"
#include "gasnet.h"
#include "gasnet_vis.h"
#include "vis/front.h"

namespace {
using gasnet::exported::Bytes;
using gasnet::exported::Run;
using gasnet::exported::StridedBytes;
using gasnet::exported::ToNode;
using gasnet::exported::VectorBytes;
using gasnet::observe::Call;
using gasnet::observe::IsObserved;
using VisBlocking = gasnet::vis::VisFront<gasnet::vis::Blocking>;
using VisExplicit = gasnet::vis::VisFront<gasnet::vis::Explicit>;
using VisImplicit = gasnet::vis::VisFront<gasnet::vis::Implicit>;
using gasnet::vis::IndexedList;
using gasnet::vis::StridedCall;
using gasnet::vis::VectorList;

StridedCall VisStrided(void* dstaddr, const size_t dststrides[],
                       const void* srcaddr, const size_t srcstrides[],
                       const size_t count[], size_t stridelevels) {
  return gasnet::vis::WithoutSigns(static_cast<std::byte*>(dstaddr), dststrides,
                                   static_cast<const std::byte*>(srcaddr),
                                   srcstrides, count, stridelevels);
}
}  // namespace

extern "C" {

// Functions for vectors.

void gasnet_putv_bulk(gasnet_node_t dstnode, size_t dstcount,
                      gasnet_memvec_t const dstlist[], size_t srccount,
                      gasnet_memvec_t const srclist[]) {
  if (IsObserved()) [[unlikely]]
    return Run<Call::kPutvBulk, &gasnet_putv_bulk, ToNode<0>,
               VectorBytes<3, 4>>(dstnode, dstcount, dstlist, srccount,
                                  srclist);
  VisBlocking::Put("gasnet_putv_bulk", dstnode, VectorList{dstlist, dstcount},
                   VectorList{srclist, srccount});
}
void gasnet_getv_bulk(size_t dstcount, gasnet_memvec_t const dstlist[],
                      gasnet_node_t srcnode, size_t srccount,
                      gasnet_memvec_t const srclist[]) {
  if (IsObserved()) [[unlikely]]
    return Run<Call::kGetvBulk, &gasnet_getv_bulk, ToNode<2>,
               VectorBytes<3, 4>>(dstcount, dstlist, srcnode, srccount,
                                  srclist);
  VisBlocking::Get("gasnet_getv_bulk", VectorList{dstlist, dstcount}, srcnode,
                   VectorList{srclist, srccount});
}
gasnet_handle_t gasnet_putv_nb_bulk(gasnet_node_t dstnode, size_t dstcount,
                                    gasnet_memvec_t const dstlist[],
                                    size_t srccount,
                                    gasnet_memvec_t const srclist[]) {
  if (IsObserved()) [[unlikely]]
    return Run<Call::kPutvNbBulk, &gasnet_putv_nb_bulk, ToNode<0>,
               VectorBytes<3, 4>>(dstnode, dstcount, dstlist, srccount,
                                  srclist);
  return VisExplicit::Put("gasnet_putv_nb_bulk", dstnode,
                          VectorList{dstlist, dstcount},
                          VectorList{srclist, srccount});
}
gasnet_handle_t gasnet_getv_nb_bulk(size_t dstcount,
                                    gasnet_memvec_t const dstlist[],
                                    gasnet_node_t srcnode, size_t srccount,
                                    gasnet_memvec_t const srclist[]) {
  if (IsObserved()) [[unlikely]]
    return Run<Call::kGetvNbBulk, &gasnet_getv_nb_bulk, ToNode<2>,
               VectorBytes<3, 4>>(dstcount, dstlist, srcnode, srccount,
                                  srclist);
  return VisExplicit::Get("gasnet_getv_nb_bulk", VectorList{dstlist, dstcount},
                          srcnode, VectorList{srclist, srccount});
}
void gasnet_putv_nbi_bulk(gasnet_node_t dstnode, size_t dstcount,
                          gasnet_memvec_t const dstlist[], size_t srccount,
                          gasnet_memvec_t const srclist[]) {
  if (IsObserved()) [[unlikely]]
    return Run<Call::kPutvNbiBulk, &gasnet_putv_nbi_bulk, ToNode<0>,
               VectorBytes<3, 4>>(dstnode, dstcount, dstlist, srccount,
                                  srclist);
  VisImplicit::Put("gasnet_putv_nbi_bulk", dstnode,
                   VectorList{dstlist, dstcount},
                   VectorList{srclist, srccount});
}
void gasnet_getv_nbi_bulk(size_t dstcount, gasnet_memvec_t const dstlist[],
                          gasnet_node_t srcnode, size_t srccount,
                          gasnet_memvec_t const srclist[]) {
  if (IsObserved()) [[unlikely]]
    return Run<Call::kGetvNbiBulk, &gasnet_getv_nbi_bulk, ToNode<2>,
               VectorBytes<3, 4>>(dstcount, dstlist, srcnode, srccount,
                                  srclist);
  VisImplicit::Get("gasnet_getv_nbi_bulk", VectorList{dstlist, dstcount},
                   srcnode, VectorList{srclist, srccount});
}

// Functions for indexed lists.

void gasnet_puti_bulk(gasnet_node_t dstnode, size_t dstcount,
                      void* const dstlist[], size_t dstlen, size_t srccount,
                      void* const srclist[], size_t srclen) {
  if (IsObserved()) [[unlikely]]
    return Run<Call::kPutiBulk, &gasnet_puti_bulk, ToNode<0>, Bytes<4, 6>>(
        dstnode, dstcount, dstlist, dstlen, srccount, srclist, srclen);
  VisBlocking::Put("gasnet_puti_bulk", dstnode,
                   IndexedList{dstlist, dstcount, dstlen},
                   IndexedList{srclist, srccount, srclen});
}
void gasnet_geti_bulk(size_t dstcount, void* const dstlist[], size_t dstlen,
                      gasnet_node_t srcnode, size_t srccount,
                      void* const srclist[], size_t srclen) {
  if (IsObserved()) [[unlikely]]
    return Run<Call::kGetiBulk, &gasnet_geti_bulk, ToNode<3>, Bytes<4, 6>>(
        dstcount, dstlist, dstlen, srcnode, srccount, srclist, srclen);
  VisBlocking::Get("gasnet_geti_bulk", IndexedList{dstlist, dstcount, dstlen},
                   srcnode, IndexedList{srclist, srccount, srclen});
}
gasnet_handle_t gasnet_puti_nb_bulk(gasnet_node_t dstnode, size_t dstcount,
                                    void* const dstlist[], size_t dstlen,
                                    size_t srccount, void* const srclist[],
                                    size_t srclen) {
  if (IsObserved()) [[unlikely]]
    return Run<Call::kPutiNbBulk, &gasnet_puti_nb_bulk, ToNode<0>, Bytes<4, 6>>(
        dstnode, dstcount, dstlist, dstlen, srccount, srclist, srclen);
  return VisExplicit::Put("gasnet_puti_nb_bulk", dstnode,
                          IndexedList{dstlist, dstcount, dstlen},
                          IndexedList{srclist, srccount, srclen});
}
gasnet_handle_t gasnet_geti_nb_bulk(size_t dstcount, void* const dstlist[],
                                    size_t dstlen, gasnet_node_t srcnode,
                                    size_t srccount, void* const srclist[],
                                    size_t srclen) {
  if (IsObserved()) [[unlikely]]
    return Run<Call::kGetiNbBulk, &gasnet_geti_nb_bulk, ToNode<3>, Bytes<4, 6>>(
        dstcount, dstlist, dstlen, srcnode, srccount, srclist, srclen);
  return VisExplicit::Get("gasnet_geti_nb_bulk",
                          IndexedList{dstlist, dstcount, dstlen}, srcnode,
                          IndexedList{srclist, srccount, srclen});
}
void gasnet_puti_nbi_bulk(gasnet_node_t dstnode, size_t dstcount,
                          void* const dstlist[], size_t dstlen, size_t srccount,
                          void* const srclist[], size_t srclen) {
  if (IsObserved()) [[unlikely]]
    return Run<Call::kPutiNbiBulk, &gasnet_puti_nbi_bulk, ToNode<0>,
               Bytes<4, 6>>(dstnode, dstcount, dstlist, dstlen, srccount,
                            srclist, srclen);
  VisImplicit::Put("gasnet_puti_nbi_bulk", dstnode,
                   IndexedList{dstlist, dstcount, dstlen},
                   IndexedList{srclist, srccount, srclen});
}
void gasnet_geti_nbi_bulk(size_t dstcount, void* const dstlist[], size_t dstlen,
                          gasnet_node_t srcnode, size_t srccount,
                          void* const srclist[], size_t srclen) {
  if (IsObserved()) [[unlikely]]
    return Run<Call::kGetiNbiBulk, &gasnet_geti_nbi_bulk, ToNode<3>,
               Bytes<4, 6>>(dstcount, dstlist, dstlen, srcnode, srccount,
                            srclist, srclen);
  VisImplicit::Get("gasnet_geti_nbi_bulk",
                   IndexedList{dstlist, dstcount, dstlen}, srcnode,
                   IndexedList{srclist, srccount, srclen});
}

// Functions for strided regions.

void gasnet_puts_bulk(gasnet_node_t dstnode, void* dstaddr,
                      const size_t dststrides[], void* srcaddr,
                      const size_t srcstrides[], const size_t count[],
                      size_t stridelevels) {
  if (IsObserved()) [[unlikely]]
    return Run<Call::kPutsBulk, &gasnet_puts_bulk, ToNode<0>,
               StridedBytes<5, 6>>(dstnode, dstaddr, dststrides, srcaddr,
                                   srcstrides, count, stridelevels);
  VisBlocking::Put("gasnet_puts_bulk", dstnode,
                   VisStrided(dstaddr, dststrides, srcaddr, srcstrides, count,
                              stridelevels));
}
void gasnet_gets_bulk(void* dstaddr, const size_t dststrides[],
                      gasnet_node_t srcnode, void* srcaddr,
                      const size_t srcstrides[], const size_t count[],
                      size_t stridelevels) {
  if (IsObserved()) [[unlikely]]
    return Run<Call::kGetsBulk, &gasnet_gets_bulk, ToNode<2>,
               StridedBytes<5, 6>>(dstaddr, dststrides, srcnode, srcaddr,
                                   srcstrides, count, stridelevels);
  VisBlocking::Get("gasnet_gets_bulk", srcnode,
                   VisStrided(dstaddr, dststrides, srcaddr, srcstrides, count,
                              stridelevels));
}
gasnet_handle_t gasnet_puts_nb_bulk(gasnet_node_t dstnode, void* dstaddr,
                                    const size_t dststrides[], void* srcaddr,
                                    const size_t srcstrides[],
                                    const size_t count[], size_t stridelevels) {
  if (IsObserved()) [[unlikely]]
    return Run<Call::kPutsNbBulk, &gasnet_puts_nb_bulk, ToNode<0>,
               StridedBytes<5, 6>>(dstnode, dstaddr, dststrides, srcaddr,
                                   srcstrides, count, stridelevels);
  return VisExplicit::Put("gasnet_puts_nb_bulk", dstnode,
                          VisStrided(dstaddr, dststrides, srcaddr, srcstrides,
                                     count, stridelevels));
}
gasnet_handle_t gasnet_gets_nb_bulk(void* dstaddr, const size_t dststrides[],
                                    gasnet_node_t srcnode, void* srcaddr,
                                    const size_t srcstrides[],
                                    const size_t count[], size_t stridelevels) {
  if (IsObserved()) [[unlikely]]
    return Run<Call::kGetsNbBulk, &gasnet_gets_nb_bulk, ToNode<2>,
               StridedBytes<5, 6>>(dstaddr, dststrides, srcnode, srcaddr,
                                   srcstrides, count, stridelevels);
  return VisExplicit::Get("gasnet_gets_nb_bulk", srcnode,
                          VisStrided(dstaddr, dststrides, srcaddr, srcstrides,
                                     count, stridelevels));
}
void gasnet_puts_nbi_bulk(gasnet_node_t dstnode, void* dstaddr,
                          const size_t dststrides[], void* srcaddr,
                          const size_t srcstrides[], const size_t count[],
                          size_t stridelevels) {
  if (IsObserved()) [[unlikely]]
    return Run<Call::kPutsNbiBulk, &gasnet_puts_nbi_bulk, ToNode<0>,
               StridedBytes<5, 6>>(dstnode, dstaddr, dststrides, srcaddr,
                                   srcstrides, count, stridelevels);
  VisImplicit::Put("gasnet_puts_nbi_bulk", dstnode,
                   VisStrided(dstaddr, dststrides, srcaddr, srcstrides, count,
                              stridelevels));
}
void gasnet_gets_nbi_bulk(void* dstaddr, const size_t dststrides[],
                          gasnet_node_t srcnode, void* srcaddr,
                          const size_t srcstrides[], const size_t count[],
                          size_t stridelevels) {
  if (IsObserved()) [[unlikely]]
    return Run<Call::kGetsNbiBulk, &gasnet_gets_nbi_bulk, ToNode<2>,
               StridedBytes<5, 6>>(dstaddr, dststrides, srcnode, srcaddr,
                                   srcstrides, count, stridelevels);
  VisImplicit::Get("gasnet_gets_nbi_bulk", srcnode,
                   VisStrided(dstaddr, dststrides, srcaddr, srcstrides, count,
                              stridelevels));
}

}  // extern "C"
