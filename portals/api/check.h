// The checks at the beginning of every call: the library is open, and each
// handle names an object.
//
// A Find function returns null if the handle is stale, invalid, or names
// another kind of object.
#ifndef PORTALS_API_CHECK_H_
#define PORTALS_API_CHECK_H_

#include "portals/api/handles.h"
#include "portals/api/library.h"
#include "portals4.h"

namespace gasnet::portals4 {

inline bool IsOpen() {
  const Library* const library = FindLibrary();
  return library != nullptr && library->IsOpen();
}

// An object and its interface.
template <class Record>
struct Named {
  Interface* interface = nullptr;
  Record* record = nullptr;

  explicit operator bool() const { return record != nullptr; }
  Record* operator->() const { return record; }
  Record& operator*() const { return *record; }
};

// Inlined, like its callers. A real call would return the two pointers of Named
// through memory.
template <class Record, class Find>
[[gnu::always_inline]] inline Named<Record> FindNamed(ptl_handle_any_t handle,
                                                      Object object,
                                                      Find find) {
  if (ObjectOf(handle) != object) return {};
  const Library* const library = FindLibrary();
  if (library == nullptr) return {};
  Interface* const interface = library->Of(handle);
  if (interface == nullptr) return {};
  return {interface, find(interface->view(), RefOf(handle))};
}

[[gnu::always_inline]] inline Named<MdRecord> FindMd(ptl_handle_md_t handle) {
  return FindNamed<MdRecord>(
      handle, Object::kMd,
      [](const View& view, Ref ref) { return view.Md(ref); });
}
[[gnu::always_inline]] inline Named<EqRecord> FindEq(ptl_handle_eq_t handle) {
  return FindNamed<EqRecord>(
      handle, Object::kEq,
      [](const View& view, Ref ref) { return view.Eq(ref); });
}
[[gnu::always_inline]] inline Named<CtRecord> FindCt(ptl_handle_ct_t handle) {
  return FindNamed<CtRecord>(
      handle, Object::kCt,
      [](const View& view, Ref ref) { return view.Ct(ref); });
}
// Finds an entry in any phase except kFree.
inline Named<EntryRecord> FindEntryNamed(ptl_handle_me_t handle) {
  return FindNamed<EntryRecord>(
      handle, Object::kEntry, [](const View& view, Ref ref) -> EntryRecord* {
        EntryRecord* const entry = view.EntryAt(EntryRef::Slot(ref));
        if (entry == nullptr || entry->slot.phase() == RecordPhase::kFree ||
            EntryRef::Make(EntryRef::Slot(ref), entry->slot) != ref) {
          return nullptr;
        }
        return entry;
      });
}

// Read an optional argument of a call: an event queue or a counter. Return
// false if the handle is stale or belongs to another interface.
inline bool EqOrNone(const Interface& interface, ptl_handle_eq_t handle,
                     Ref& ref) {
  if (handle == PTL_EQ_NONE) {
    ref = kNoRef;
    return true;
  }
  const Named<EqRecord> eq = FindEq(handle);
  ref = RefOf(handle);
  return eq && eq.interface == &interface;
}
inline bool CtOrNone(const Interface& interface, ptl_handle_ct_t handle,
                     Ref& ref) {
  if (handle == PTL_CT_NONE) {
    ref = kNoRef;
    return true;
  }
  const Named<CtRecord> ct = FindCt(handle);
  ref = RefOf(handle);
  return ct && ct.interface == &interface;
}

}  // namespace gasnet::portals4

#endif  // PORTALS_API_CHECK_H_
