// libFuzzer: feeds arbitrary bytes to every decoder of the stream between
// launcher and agent, and to a relay. Also feeds them to the parsers of the
// host lists of users and managers.
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "job/launch/event_loop.h"
#include "job/wire/frame.h"
#include "tools/gasnetrun/host_list.h"
#include "tools/gasnetrun/remote/agent_messages.h"
#include "tools/gasnetrun/remote/relayed_ssh.h"
#include "tools/gasnetrun/remote/ssh_command.h"

namespace gasnet::gasnetrun {
namespace {

void Decode(std::string_view payload) {
  AgentHello hello;
  StartOrder order;
  Note note;
  DecodeAgentHello(payload, hello);
  DecodeStartOrder(payload, order);
  DecodeNote(payload, note);
  std::vector<std::string> words;
  DecodeWords(payload, words);
}

void Feed(const job::FrameLimits& limits, std::string_view bytes) {
  job::FrameReader reader(limits);
  reader.Append(bytes);
  for (job::Frame frame;
       reader.Next(frame) == job::FrameReader::Result::kFrame;) {
    Decode(frame.payload);
  }
}

// Feeds messages of an agent to the relay of a host. The host is reached
// through that agent.
void FeedRelay(std::string_view bytes) {
  job::EventLoop loop;
  RelayedSsh ssh(
      0, 1, loop, [](job::FrameType, const Note&) {}, [](std::string_view) {});
  if (!ssh.Start({"ssh"}).ok()) return;
  job::FrameReader reader(LimitsAfterAgentHello());
  reader.Append(bytes);
  Note note;
  for (job::Frame frame;
       reader.Next(frame) == job::FrameReader::Result::kFrame &&
       DecodeNote(frame.payload, note) && ssh.TakeNote(frame.type, note);) {
    loop.Wait(0);
    (void)ssh.Poll();
  }
}

void ParseHosts(std::string_view text) {
  (void)ParseHostList(text);
  (void)ParseHostFile(text);
  (void)ParseNamesAndSlots(text);
  (void)ParseSlurm(text.substr(0, text.size() / 2),
                   text.substr(text.size() / 2));
  (void)SplitWords(text);
}

}  // namespace
}  // namespace gasnet::gasnetrun

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  using namespace gasnet::gasnetrun;
  const std::string_view bytes(reinterpret_cast<const char*>(data), size);
  Decode(bytes);
  for (const auto* limits :
       {&LimitsBeforeAgentHello(), &LimitsAfterAgentHello(),
        &LimitsBeforeStart(), &LimitsAfterStart()}) {
    Feed(*limits, bytes);
  }
  FeedRelay(bytes);
  ParseHosts(bytes);
  return 0;
}
