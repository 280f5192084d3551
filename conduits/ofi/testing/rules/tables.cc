#include "conduits/ofi/testing/rules/tables.h"

#include <cstddef>

#include "conduits/ofi/testing/rules/violation.h"

namespace gasnet::ofi::rules {
namespace {

// A function's name, in a form that can be a template argument.
template <size_t kSize>
struct Name {
  constexpr Name(const char (&from)[kSize]) {  // NOLINT: from a literal
    for (size_t i = 0; i < kSize; ++i) text[i] = from[i];
  }
  char text[kSize] = {};
};

template <Name kName, class Result, class... Arguments>
Result NotThere(Arguments...) {
  Violation("%s is called, which this provider does not have", kName.text);
}

// Sets `function` to a function that reports that kName is not supported.
template <Name kName, class Result, class... Arguments>
void Lack(Result (*&function)(Arguments...)) {
  function = &NotThere<kName, Result, Arguments...>;
}

template <class Table>
Table Empty() {
  Table table = {};
  table.size = sizeof table;
  return table;
}

}  // namespace

template <>
fi_ops Without() {
  auto made = Empty<fi_ops>();
  Lack<"fi_close">(made.close);
  Lack<"fi_bind">(made.bind);
  Lack<"fi_control">(made.control);
  Lack<"fi_open_ops">(made.ops_open);
  Lack<"fi_tostr">(made.tostr);
  Lack<"fi_set_ops">(made.ops_set);
  return made;
}

template <>
fi_ops_fabric Without() {
  auto made = Empty<fi_ops_fabric>();
  Lack<"fi_domain">(made.domain);
  Lack<"fi_passive_ep">(made.passive_ep);
  Lack<"fi_eq_open">(made.eq_open);
  Lack<"fi_wait_open">(made.wait_open);
  Lack<"fi_trywait">(made.trywait);
  Lack<"fi_domain2">(made.domain2);
  return made;
}

template <>
fi_ops_domain Without() {
  auto made = Empty<fi_ops_domain>();
  Lack<"fi_av_open">(made.av_open);
  Lack<"fi_cq_open">(made.cq_open);
  Lack<"fi_endpoint">(made.endpoint);
  Lack<"fi_scalable_ep">(made.scalable_ep);
  Lack<"fi_cntr_open">(made.cntr_open);
  Lack<"fi_poll_open">(made.poll_open);
  Lack<"fi_stx_context">(made.stx_ctx);
  Lack<"fi_srx_context">(made.srx_ctx);
  Lack<"fi_query_atomic">(made.query_atomic);
  Lack<"fi_query_collective">(made.query_collective);
  Lack<"fi_endpoint2">(made.endpoint2);
  return made;
}

template <>
fi_ops_mr Without() {
  auto made = Empty<fi_ops_mr>();
  Lack<"fi_mr_reg">(made.reg);
  Lack<"fi_mr_regv">(made.regv);
  Lack<"fi_mr_regattr">(made.regattr);
  return made;
}

template <>
fi_ops_cq Without() {
  auto made = Empty<fi_ops_cq>();
  Lack<"fi_cq_read">(made.read);
  Lack<"fi_cq_readfrom">(made.readfrom);
  Lack<"fi_cq_readerr">(made.readerr);
  Lack<"fi_cq_sread">(made.sread);
  Lack<"fi_cq_sreadfrom">(made.sreadfrom);
  Lack<"fi_cq_signal">(made.signal);
  Lack<"fi_cq_strerror">(made.strerror);
  return made;
}

template <>
fi_ops_av Without() {
  auto made = Empty<fi_ops_av>();
  Lack<"fi_av_insert">(made.insert);
  Lack<"fi_av_insertsvc">(made.insertsvc);
  Lack<"fi_av_insertsym">(made.insertsym);
  Lack<"fi_av_remove">(made.remove);
  Lack<"fi_av_lookup">(made.lookup);
  Lack<"fi_av_straddr">(made.straddr);
  Lack<"fi_av_set">(made.av_set);
  return made;
}

template <>
fi_ops_ep Without() {
  auto made = Empty<fi_ops_ep>();
  Lack<"fi_cancel">(made.cancel);
  Lack<"fi_getopt">(made.getopt);
  Lack<"fi_setopt">(made.setopt);
  Lack<"fi_tx_context">(made.tx_ctx);
  Lack<"fi_rx_context">(made.rx_ctx);
  Lack<"fi_rx_size_left">(made.rx_size_left);
  Lack<"fi_tx_size_left">(made.tx_size_left);
  return made;
}

template <>
fi_ops_cm Without() {
  auto made = Empty<fi_ops_cm>();
  Lack<"fi_setname">(made.setname);
  Lack<"fi_getname">(made.getname);
  Lack<"fi_getpeer">(made.getpeer);
  Lack<"fi_connect">(made.connect);
  Lack<"fi_listen">(made.listen);
  Lack<"fi_accept">(made.accept);
  Lack<"fi_reject">(made.reject);
  Lack<"fi_shutdown">(made.shutdown);
  Lack<"fi_join">(made.join);
  return made;
}

template <>
fi_ops_msg Without() {
  auto made = Empty<fi_ops_msg>();
  Lack<"fi_recv">(made.recv);
  Lack<"fi_recvv">(made.recvv);
  Lack<"fi_recvmsg">(made.recvmsg);
  Lack<"fi_send">(made.send);
  Lack<"fi_sendv">(made.sendv);
  Lack<"fi_sendmsg">(made.sendmsg);
  Lack<"fi_inject">(made.inject);
  Lack<"fi_senddata">(made.senddata);
  Lack<"fi_injectdata">(made.injectdata);
  return made;
}

template <>
fi_ops_rma Without() {
  auto made = Empty<fi_ops_rma>();
  Lack<"fi_read">(made.read);
  Lack<"fi_readv">(made.readv);
  Lack<"fi_readmsg">(made.readmsg);
  Lack<"fi_write">(made.write);
  Lack<"fi_writev">(made.writev);
  Lack<"fi_writemsg">(made.writemsg);
  Lack<"fi_inject_write">(made.inject);
  Lack<"fi_writedata">(made.writedata);
  Lack<"fi_inject_writedata">(made.injectdata);
  return made;
}

}  // namespace gasnet::ofi::rules
