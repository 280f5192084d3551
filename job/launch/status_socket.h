// The socket through which other processes of the same user get the job's
// status (gasnetrun --status). Drops connections of other users. Used by one
// thread. Nothing blocks.
#ifndef JOB_LAUNCH_STATUS_SOCKET_H_
#define JOB_LAUNCH_STATUS_SOCKET_H_

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <utility>

#include "absl/container/flat_hash_map.h"
#include "base/unique_fd.h"
#include "job/launch/event_loop.h"
#include "job/launch/output_sink.h"

namespace gasnet::job {

class StatusSocket {
 public:
  // A callback that handles a request. The text must soon be passed to Answer.
  using Request = std::function<void(uint64_t client, bool as_json)>;

  StatusSocket(EventLoop& loop, Request request)
      : loop_(loop), request_(std::move(request)) {}
  ~StatusSocket();

  // Listens under this process's name. Returns false if listening is
  // impossible. The job's status is then unavailable.
  bool Listen();

  // Answers a client if the client is still connected. Closes the connection
  // once the client has taken everything.
  void Answer(uint64_t client, std::string text);

 private:
  struct Client {
    explicit Client(UniqueFd accepted)
        : socket(std::move(accepted)), answer(socket.get()) {}

    UniqueFd socket;
    OutputSink answer;
    bool has_asked = false;
  };

  void Accept();
  void TakeRequest(uint64_t client);
  void Write(uint64_t client);
  void Close(uint64_t client);

  EventLoop& loop_;
  const Request request_;
  UniqueFd listener_;
  uint64_t next_client_ = 0;
  absl::flat_hash_map<uint64_t, std::unique_ptr<Client>> clients_;
};

}  // namespace gasnet::job

#endif  // JOB_LAUNCH_STATUS_SOCKET_H_
