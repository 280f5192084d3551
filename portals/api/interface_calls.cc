// The calls for initialisation, interfaces, identities and maps.
#include <algorithm>

#include "base/log.h"
#include "portals/api/check.h"
#include "portals/api/given_job.h"
#include "portals/api/knobs.h"
#include "portals/api/library.h"
#include "portals/job/launched.h"
#include "portals4.h"

namespace portals4 = gasnet::portals4;
using portals4::GetLibrary;
using portals4::Interface;
using portals4::Object;

namespace {

template <class Record>
const Interface* OwnerOf(const portals4::Named<Record>& object) {
  return object ? object.interface : nullptr;
}

const Interface* OwnerOf(ptl_handle_any_t handle) {
  switch (portals4::ObjectOf(handle)) {
    case Object::kInterface:
      return GetLibrary().FromHandle(handle);
    case Object::kEq:
      return OwnerOf(portals4::FindEq(handle));
    case Object::kCt:
      return OwnerOf(portals4::FindCt(handle));
    case Object::kMd:
      return OwnerOf(portals4::FindMd(handle));
    case Object::kEntry:
      return OwnerOf(portals4::FindEntryNamed(handle));
    default:
      return nullptr;
  }
}

void RequireCarrierOfDatagrams() {
  const portals4::GivenJob* const job = portals4::GetJob();
  const bool has_all =
      job != nullptr && (job->carrier != nullptr || job->ranks() == 1);
  if (portals4::TransportFromEnvironment() != portals4::Transport::kDatagram ||
      has_all) {
    return;
  }
  gasnet::Fatal(
      "PtlInit: PORTALS4_TRANSPORT is 'datagram', but this program has no "
      "job, for instance from a launcher with PMI (which sets PMI_FD, "
      "PMI_RANK and PMI_SIZE); accepted without one: auto, memory");
}

}  // namespace

int PtlInit(void) {
  portals4::Knobs();
  if (&portals4::FindLaunchedJob != nullptr) portals4::FindLaunchedJob();
  RequireCarrierOfDatagrams();
  GetLibrary().Open();
  return PTL_OK;
}

void PtlFini(void) { GetLibrary().Close(); }

void PtlAbort(void) { GetLibrary().Abort(); }

int PtlNIInit(ptl_interface_t iface, unsigned int options, ptl_pid_t pid,
              const ptl_ni_limits_t* desired, ptl_ni_limits_t* actual,
              ptl_handle_ni_t* ni_handle) {
  if (!portals4::IsOpen()) return PTL_NO_INIT;
  if (ni_handle == nullptr) return PTL_ARG_INVALID;
  Interface* opened = nullptr;
  const int result =
      GetLibrary().OpenInterface(iface, options, pid, desired, opened);
  if (result != PTL_OK) return result;
  if (actual != nullptr) *actual = opened->limits();
  *ni_handle = GetLibrary().HandleOf(*opened);
  return PTL_OK;
}

int PtlNIFini(ptl_handle_ni_t ni_handle) {
  if (!portals4::IsOpen()) return PTL_NO_INIT;
  return GetLibrary().CloseInterface(ni_handle);
}

int PtlNIStatus(ptl_handle_ni_t ni_handle, ptl_sr_index_t status_register,
                ptl_sr_value_t* status) {
  if (!portals4::IsOpen()) return PTL_NO_INIT;
  const Interface* const interface = GetLibrary().FromHandle(ni_handle);
  const auto index = static_cast<uint32_t>(status_register);
  if (interface == nullptr || status == nullptr || index >= PTL_SR_LAST) {
    return PTL_ARG_INVALID;
  }
  *status = static_cast<ptl_sr_value_t>(
      interface->view().Register(index).load(std::memory_order_relaxed));
  return PTL_OK;
}

int PtlNIHandle(ptl_handle_any_t handle, ptl_handle_ni_t* ni_handle) {
  if (!portals4::IsOpen()) return PTL_NO_INIT;
  if (ni_handle == nullptr) return PTL_ARG_INVALID;
  const Interface* const interface = OwnerOf(handle);
  if (interface == nullptr) return PTL_ARG_INVALID;
  *ni_handle = GetLibrary().HandleOf(*interface);
  return PTL_OK;
}

int PtlSetMap(ptl_handle_ni_t ni_handle, ptl_size_t map_size,
              const ptl_process_t* mapping) {
  if (!portals4::IsOpen()) return PTL_NO_INIT;
  Interface* const interface = GetLibrary().FromHandle(ni_handle);
  if (interface == nullptr || !interface->logical() || map_size == 0 ||
      mapping == nullptr || map_size > PTL_RANK_ANY) {
    return PTL_ARG_INVALID;
  }
  interface->SetMap(mapping, map_size);
  return portals4::Knobs().Happens(portals4::Fault::kIgnored) ? PTL_IGNORED
                                                              : PTL_OK;
}

int PtlGetMap(ptl_handle_ni_t ni_handle, ptl_size_t map_size,
              ptl_process_t* mapping, ptl_size_t* actual_map_size) {
  if (!portals4::IsOpen()) return PTL_NO_INIT;
  const Interface* const interface = GetLibrary().FromHandle(ni_handle);
  if (interface == nullptr || !interface->logical() ||
      (mapping == nullptr && map_size > 0) ||
      (map_size == 0 && actual_map_size == nullptr)) {
    return PTL_ARG_INVALID;
  }
  const std::vector<ptl_process_t>* const map = interface->map();
  const size_t size = map != nullptr ? map->size() : 0;
  if (map != nullptr) {
    std::copy_n(map->begin(), std::min<size_t>(size, map_size), mapping);
  }
  if (actual_map_size != nullptr) *actual_map_size = size;
  return PTL_OK;
}

int PtlGetUid(ptl_handle_ni_t ni_handle, ptl_uid_t* uid) {
  if (!portals4::IsOpen()) return PTL_NO_INIT;
  const Interface* const interface = GetLibrary().FromHandle(ni_handle);
  if (interface == nullptr || uid == nullptr) return PTL_ARG_INVALID;
  *uid = interface->identity().uid;
  return PTL_OK;
}

int PtlGetPhysId(ptl_handle_ni_t ni_handle, ptl_process_t* id) {
  if (!portals4::IsOpen()) return PTL_NO_INIT;
  const Interface* const interface = GetLibrary().FromHandle(ni_handle);
  if (interface == nullptr || id == nullptr) return PTL_ARG_INVALID;
  id->phys.nid = interface->identity().nid;
  id->phys.pid = interface->identity().pid;
  return PTL_OK;
}

int PtlGetId(ptl_handle_ni_t ni_handle, ptl_process_t* id) {
  if (!portals4::IsOpen()) return PTL_NO_INIT;
  const Interface* const interface = GetLibrary().FromHandle(ni_handle);
  if (interface == nullptr || id == nullptr) return PTL_ARG_INVALID;
  if (!interface->logical()) return PtlGetPhysId(ni_handle, id);
  id->rank = static_cast<ptl_rank_t>(interface->initiator());
  return PTL_OK;
}

int PtlHandleIsEqual(ptl_handle_any_t handle1, ptl_handle_any_t handle2) {
  return handle1 == handle2 ? 1 : 0;
}
