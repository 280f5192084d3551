// Global pointers as in a C++ library. An assignment through a reference is a
// put, and reading through it is a get. Futures are handles.
#include <gasnet.h>

#include "runtime.h"

namespace {

gasnet_seginfo_t* segments;

template <typename T>
class Reference {
 public:
  Reference(gasnet_node_t node, T* address) : node_(node), address_(address) {}
  Reference(const Reference&) = default;
  Reference& operator=(const Reference& other) {
    return *this = static_cast<T>(other);
  }
  Reference& operator=(const T& value) {
    gasnet_put(node_, address_, &value, sizeof(T));
    return *this;
  }
  operator T() const {
    T value;
    gasnet_get(&value, node_, address_, sizeof(T));
    return value;
  }

 private:
  gasnet_node_t node_;
  T* address_;
};

class Future {
 public:
  explicit Future(gasnet_handle_t handle) : handle_(handle) {}
  bool IsReady() {
    if (handle_ == GASNET_INVALID_HANDLE) return true;
    if (gasnet_try_syncnb(handle_) != GASNET_OK) return false;
    handle_ = GASNET_INVALID_HANDLE;
    return true;
  }
  void Wait() {
    while (!IsReady()) gasnet_AMPoll();
  }

 private:
  gasnet_handle_t handle_;
};

template <typename T>
class GlobalPointer {
 public:
  GlobalPointer(gasnet_node_t node, T* address)
      : node_(node), address_(address) {}
  explicit GlobalPointer(gasnet_node_t node)
      : GlobalPointer(node, static_cast<T*>(segments[node].addr)) {}
  GlobalPointer operator+(int i) const { return {node_, address_ + i}; }
  Reference<T> operator*() const { return {node_, address_}; }
  Future Put(const T* from, size_t count) const {
    return Future(gasnet_put_nb_bulk(node_, address_, from, count * sizeof(T)));
  }
  Future Get(T* to, size_t count) const {
    return Future(gasnet_get_nb_bulk(to, node_, address_, count * sizeof(T)));
  }

 private:
  gasnet_node_t node_;
  T* address_;
};

struct Point {
  int x;
  double y;
};

enum { kOnWords = 250 };
volatile int words_arrived = 0;

void OnWords(gasnet_token_t token, void* words, size_t bytes,
             gasnet_handlerarg_t first) {
  (void)token;
  CHECK(bytes == 3 * sizeof(int) && static_cast<int*>(words)[0] == first);
  words_arrived = words_arrived + 1;
}

// Sends a message whose payload goes to an address in the receiver's segment.
void SendWords(gasnet_node_t node) {
  int words[] = {7, 8, 9};
  char* const there = static_cast<char*>(segments[node].addr) + 4096;
  SAFE(gasnet_AMRequestLong1(node, kOnWords, words, sizeof(words),
                             there + 64 * gasnet_mynode(), words[0]));
}

}  // namespace

int main(int argc, char** argv) {
  gasnet_handlerentry_t handlers[1];
  handlers[0].index = kOnWords;
  handlers[0].fnptr = (void (*)())OnWords;
  SAFE(gasnet_init(&argc, &argv));
  SAFE(gasnet_attach(handlers, 1, 16 * GASNET_PAGESIZE, 0));
  segments = new gasnet_seginfo_t[gasnet_nodes()];
  SAFE(gasnet_getSegmentInfo(segments, static_cast<int>(gasnet_nodes())));

  const gasnet_node_t next = (gasnet_mynode() + 1) % gasnet_nodes();
  const GlobalPointer<Point> points(next);
  const Point written = {static_cast<int>(gasnet_mynode()), 0.5};
  *points = written;
  *(points + 2) = *points;
  Point read[3];
  const Point nothing = {0, 0};
  (points + 1).Put(&nothing, 1).Wait();
  points.Get(read, 3).Wait();
  CHECK(read[0].x == written.x && read[2].x == written.x && read[1].y == 0 &&
        read[2].y == 0.5);
  for (gasnet_node_t node = 0; node < gasnet_nodes(); ++node) SendWords(node);
  GASNET_BLOCKUNTIL(words_arrived == static_cast<int>(gasnet_nodes()));
  delete[] segments;
  return finish();
}
