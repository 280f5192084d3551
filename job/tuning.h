// Constants that tune job control: durations of waits and sizes of buffers.
// None affects the path of a message. `./dev bench startup` measures the
// constants of a job's start. The tests in job/ and tools/gasnetrun/testing
// exercise those of its end. A constant was chosen by reasoning unless its
// comment says that it was measured.
#ifndef JOB_TUNING_H_
#define JOB_TUNING_H_

#include <cstddef>
#include <cstdint>

#include "base/clock.h"

namespace gasnet::job {

// After a gasnet_exit, the launcher waits this time for the next one, before it
// asks the other ranks to end. The time is long compared with the time in which
// two ranks leave the same barrier on a busy host.
inline constexpr int64_t kLingerNanos = 250 * kNanosPerMilli;
// All ranks are gone, but descendants still hold an output pipe. After this
// time without output, they are assumed to write nothing more.
inline constexpr int64_t kQuietNanos = 250 * kNanosPerMilli;
// The time that the beginning of a line waits for its end before a terminal
// shows it. Users do not notice shorter delays. A line that a rank writes in
// pieces is complete long before.
inline constexpr int64_t kPartialLineNanos = 100 * kNanosPerMilli;
// A rank wants the terminal, but the job is in the background. This is the
// interval of the checks if the job is in the foreground again.
inline constexpr int64_t kForegroundNanos = 250 * kNanosPerMilli;
// A rank has the terminal. If it leaves input unread for this time, the input
// is for standard input. The time is long compared with the time in which a
// reader wakes up.
inline constexpr int64_t kUnreadNanos = 500 * kNanosPerMilli;
// The time that ranks have beyond their grace. It lets a rank that has used up
// its grace flush its output (job/process_end.h), even on a busy host.
inline constexpr int64_t kFlushNanos = 2 * kNanosPerSecond;
// The part of kFlushNanos in which a client that has used up its grace may
// flush its streams, before the launcher kills it.
inline constexpr int64_t kLateFlushNanos = 200 * kNanosPerMilli;
// The time in which a process that has no job (yet) may flush its streams at
// its end.
inline constexpr int64_t kDefaultFlushNanos = kNanosPerSecond;
// The number of times that an ending thread tries to lock a stream, and the
// pause between two tries. A thread that prints releases its stream between two
// calls.
inline constexpr int kStreamAttempts = 100;
inline constexpr int64_t kStreamPauseNanos = kNanosPerMilli;
// A control channel that closes early usually belongs to an ending process, and
// the end of the process is reported in another way. This is the time that such
// a report may take once no ending process can be seen. It is also the interval
// of checks of an ending process.
inline constexpr int64_t kLostNanos = 250 * kNanosPerMilli;
// The time for which the launcher collects departing ranks before it reports
// them. If many ranks end at about the same time, it need not report each of
// them separately to all others.
inline constexpr int64_t kDeparturesNanos = 10 * kNanosPerMilli;
// The time in which the owner of a host's ranks must kill the ranks and report
// this. Also the time in which either side must send its last messages.
inline constexpr int64_t kKillNanos = 10 * kNanosPerSecond;
inline constexpr int64_t kFinalFlushNanos = 3 * kNanosPerSecond;
// The default grace at a job's end, in seconds: the least, plus an amount for
// each rank, up to the most. It applies if GASNET_EXITTIMEOUT and related
// variables do not set the grace. Two seconds suffice to flush a small job's
// output on a busy host.
inline constexpr double kMinGrace = 2;
inline constexpr double kMaxGrace = 120;
inline constexpr double kGraceOfRank = 0.01;
// The most ranks that one message names. The message gives only the number of
// the other ranks. So many names fit into a line or two of a terminal.
inline constexpr size_t kNamesInOneMessage = 8;

// The time in which a rank that waits must poll after the launcher has asked
// for it. It is many times the sleep of a wait on a busy host.
inline constexpr int64_t kPollsNanos = 100 * kNanosPerMilli;
// The time in which other hosts must report the status of their ranks. It is
// short because users wait for the status.
inline constexpr int64_t kStatusNanos = 2 * kNanosPerSecond;
// The number of status rounds in the time after which a wait is reported. With
// this number, a reported wait has been visible for most of that time.
inline constexpr int kRoundsPerStall = 4;
// The number of processes that may ask for a job's status at the same time, and
// the number of connections that may wait to be accepted. A user runs fewer
// tools.
inline constexpr size_t kMaxStatusClients = 16;
inline constexpr int kStatusBacklog = 8;
// Ranks report their status for the last time this long before a time limit. A
// round among responsive hosts takes less time.
inline constexpr int64_t kLastLookNanos = 500 * kNanosPerMilli;
// The shortest wait that is reported at the end of a job. Waits in a healthy
// job are shorter.
inline constexpr int64_t kLongWaitNanos = kNanosPerSecond;

// The time in which a HELLO or MEMBER must arrive. A peer sends it in one
// piece, so the limit only bounds the cost of a broken or foreign connection.
inline constexpr int64_t kHelloNanos = 10 * kNanosPerSecond;
// The number of heartbeats in the time that a peer may be silent. So two of
// them may be late.
inline constexpr int kBeatsInSilence = 4;

// The bytes of one read from a pipe or stream: the capacity of a pipe.
inline constexpr size_t kReadBytes = 64 << 10;
// The number of reads that empty a pipe of the largest unprivileged size. The
// limit keeps a process that writes endlessly from holding up this process.
inline constexpr int kReadsToEmpty = 17;
// The bytes of one read from a control channel, which carries short frames.
inline constexpr size_t kReceiveBytes = 16 << 10;
// The bytes of standard input that are passed on at a time.
inline constexpr size_t kInputBytes = 4096;
// The bytes of output that may wait for their reader: enough to keep a reader
// busy, and few enough to stop a rank that outruns it.
inline constexpr size_t kBackedUpBytes = 256 << 10;
// The longest line of output that gets one rank label. Longer lines are cut.
inline constexpr size_t kLongestLine = 1 << 20;
// The largest number of descriptors that one round of the event loop handles.
inline constexpr int kEventsAtOnce = 64;
// The longest single wait of the event loop. Any length that epoll accepts
// works, since the loop then checks its timers and goes on.
inline constexpr int64_t kLongestWaitMillis = 3'600'000;
// The bytes that a login shell may print before the peer's preamble. A longer
// stream is not from a peer. The limit is several times a long greeting.
inline constexpr size_t kLongestBeforePreamble = 256 << 10;
// The stack of a child until it calls exec. It is many times the need of this
// code, since functions of the C library and sanitizers need more.
inline constexpr size_t kChildStackBytes = 64 << 10;

// The number of times that a member tries to reach its head. Each try waits
// twice as long for an answer as the try before, up to 8 s. The first packet of
// a connection is lost if the listen queue of the head is full. A new try then
// comes sooner than the kernel's retransmission.
inline constexpr int kHeadTries = 6;
inline constexpr int kFirstPatienceMillis = 250;
// The pause after the head has dropped the connection. It doubles with each try
// too.
inline constexpr int64_t kFirstPauseNanos = 20 * kNanosPerMilli;
// The number of connections that a head keeps in addition to one per member:
// all members may connect before any of them speaks. Beyond it, the head drops
// the stranger that has waited longest.
inline constexpr size_t kMaxStrangers = 256;
// The largest number of addresses that a head publishes. No host is reached by
// more networks.
inline constexpr size_t kMaxPublished = 8;
// The largest number of connections that are accepted before existing ones are
// served again.
inline constexpr int kAcceptsAtOnce = 64;
// TCP keep-alive: a connection that is silent for 30 s is probed every 5 s. It
// is lost if six probes stay unanswered, or if sent data stays unacknowledged
// for a minute.
inline constexpr int kIdleSeconds = 30;
inline constexpr int kQuestionSeconds = 5;
inline constexpr int kQuestions = 6;
inline constexpr unsigned kUnacknowledgedMillis = 60'000;

}  // namespace gasnet::job

#endif  // JOB_TUNING_H_
