// The C functions of gasnet_vis.h.
#include "gasnet.h"
#include "gasnet_vis.h"
#include "vis/front.h"

namespace {
using VisBlocking = gasnet::vis::Front<gasnet::vis::Blocking>;
using VisExplicit = gasnet::vis::Front<gasnet::vis::Explicit>;
using VisImplicit = gasnet::vis::Front<gasnet::vis::Implicit>;
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

// Vector.

void gasnet_putv_bulk(gasnet_node_t dstnode, size_t dstcount,
                      gasnet_memvec_t const dstlist[], size_t srccount,
                      gasnet_memvec_t const srclist[]) {
  VisBlocking::Put("gasnet_putv_bulk", dstnode, VectorList{dstlist, dstcount},
                   VectorList{srclist, srccount});
}
void gasnet_getv_bulk(size_t dstcount, gasnet_memvec_t const dstlist[],
                      gasnet_node_t srcnode, size_t srccount,
                      gasnet_memvec_t const srclist[]) {
  VisBlocking::Get("gasnet_getv_bulk", VectorList{dstlist, dstcount}, srcnode,
                   VectorList{srclist, srccount});
}
gasnet_handle_t gasnet_putv_nb_bulk(gasnet_node_t dstnode, size_t dstcount,
                                    gasnet_memvec_t const dstlist[],
                                    size_t srccount,
                                    gasnet_memvec_t const srclist[]) {
  return VisExplicit::Put("gasnet_putv_nb_bulk", dstnode,
                          VectorList{dstlist, dstcount},
                          VectorList{srclist, srccount});
}
gasnet_handle_t gasnet_getv_nb_bulk(size_t dstcount,
                                    gasnet_memvec_t const dstlist[],
                                    gasnet_node_t srcnode, size_t srccount,
                                    gasnet_memvec_t const srclist[]) {
  return VisExplicit::Get("gasnet_getv_nb_bulk", VectorList{dstlist, dstcount},
                          srcnode, VectorList{srclist, srccount});
}
void gasnet_putv_nbi_bulk(gasnet_node_t dstnode, size_t dstcount,
                          gasnet_memvec_t const dstlist[], size_t srccount,
                          gasnet_memvec_t const srclist[]) {
  VisImplicit::Put("gasnet_putv_nbi_bulk", dstnode,
                   VectorList{dstlist, dstcount},
                   VectorList{srclist, srccount});
}
void gasnet_getv_nbi_bulk(size_t dstcount, gasnet_memvec_t const dstlist[],
                          gasnet_node_t srcnode, size_t srccount,
                          gasnet_memvec_t const srclist[]) {
  VisImplicit::Get("gasnet_getv_nbi_bulk", VectorList{dstlist, dstcount},
                   srcnode, VectorList{srclist, srccount});
}

// Indexed.

void gasnet_puti_bulk(gasnet_node_t dstnode, size_t dstcount,
                      void* const dstlist[], size_t dstlen, size_t srccount,
                      void* const srclist[], size_t srclen) {
  VisBlocking::Put("gasnet_puti_bulk", dstnode,
                   IndexedList{dstlist, dstcount, dstlen},
                   IndexedList{srclist, srccount, srclen});
}
void gasnet_geti_bulk(size_t dstcount, void* const dstlist[], size_t dstlen,
                      gasnet_node_t srcnode, size_t srccount,
                      void* const srclist[], size_t srclen) {
  VisBlocking::Get("gasnet_geti_bulk", IndexedList{dstlist, dstcount, dstlen},
                   srcnode, IndexedList{srclist, srccount, srclen});
}
gasnet_handle_t gasnet_puti_nb_bulk(gasnet_node_t dstnode, size_t dstcount,
                                    void* const dstlist[], size_t dstlen,
                                    size_t srccount, void* const srclist[],
                                    size_t srclen) {
  return VisExplicit::Put("gasnet_puti_nb_bulk", dstnode,
                          IndexedList{dstlist, dstcount, dstlen},
                          IndexedList{srclist, srccount, srclen});
}
gasnet_handle_t gasnet_geti_nb_bulk(size_t dstcount, void* const dstlist[],
                                    size_t dstlen, gasnet_node_t srcnode,
                                    size_t srccount, void* const srclist[],
                                    size_t srclen) {
  return VisExplicit::Get("gasnet_geti_nb_bulk",
                          IndexedList{dstlist, dstcount, dstlen}, srcnode,
                          IndexedList{srclist, srccount, srclen});
}
void gasnet_puti_nbi_bulk(gasnet_node_t dstnode, size_t dstcount,
                          void* const dstlist[], size_t dstlen, size_t srccount,
                          void* const srclist[], size_t srclen) {
  VisImplicit::Put("gasnet_puti_nbi_bulk", dstnode,
                   IndexedList{dstlist, dstcount, dstlen},
                   IndexedList{srclist, srccount, srclen});
}
void gasnet_geti_nbi_bulk(size_t dstcount, void* const dstlist[], size_t dstlen,
                          gasnet_node_t srcnode, size_t srccount,
                          void* const srclist[], size_t srclen) {
  VisImplicit::Get("gasnet_geti_nbi_bulk",
                   IndexedList{dstlist, dstcount, dstlen}, srcnode,
                   IndexedList{srclist, srccount, srclen});
}

// Strided.

void gasnet_puts_bulk(gasnet_node_t dstnode, void* dstaddr,
                      const size_t dststrides[], void* srcaddr,
                      const size_t srcstrides[], const size_t count[],
                      size_t stridelevels) {
  VisBlocking::Put("gasnet_puts_bulk", dstnode,
                   VisStrided(dstaddr, dststrides, srcaddr, srcstrides, count,
                              stridelevels));
}
void gasnet_gets_bulk(void* dstaddr, const size_t dststrides[],
                      gasnet_node_t srcnode, void* srcaddr,
                      const size_t srcstrides[], const size_t count[],
                      size_t stridelevels) {
  VisBlocking::Get("gasnet_gets_bulk", srcnode,
                   VisStrided(dstaddr, dststrides, srcaddr, srcstrides, count,
                              stridelevels));
}
gasnet_handle_t gasnet_puts_nb_bulk(gasnet_node_t dstnode, void* dstaddr,
                                    const size_t dststrides[], void* srcaddr,
                                    const size_t srcstrides[],
                                    const size_t count[], size_t stridelevels) {
  return VisExplicit::Put("gasnet_puts_nb_bulk", dstnode,
                          VisStrided(dstaddr, dststrides, srcaddr, srcstrides,
                                     count, stridelevels));
}
gasnet_handle_t gasnet_gets_nb_bulk(void* dstaddr, const size_t dststrides[],
                                    gasnet_node_t srcnode, void* srcaddr,
                                    const size_t srcstrides[],
                                    const size_t count[], size_t stridelevels) {
  return VisExplicit::Get("gasnet_gets_nb_bulk", srcnode,
                          VisStrided(dstaddr, dststrides, srcaddr, srcstrides,
                                     count, stridelevels));
}
void gasnet_puts_nbi_bulk(gasnet_node_t dstnode, void* dstaddr,
                          const size_t dststrides[], void* srcaddr,
                          const size_t srcstrides[], const size_t count[],
                          size_t stridelevels) {
  VisImplicit::Put("gasnet_puts_nbi_bulk", dstnode,
                   VisStrided(dstaddr, dststrides, srcaddr, srcstrides, count,
                              stridelevels));
}
void gasnet_gets_nbi_bulk(void* dstaddr, const size_t dststrides[],
                          gasnet_node_t srcnode, void* srcaddr,
                          const size_t srcstrides[], const size_t count[],
                          size_t stridelevels) {
  VisImplicit::Get("gasnet_gets_nbi_bulk", srcnode,
                   VisStrided(dstaddr, dststrides, srcaddr, srcstrides, count,
                              stridelevels));
}

}  // extern "C"
