// Constants that tune job control: durations of waits and sizes of buffers.
// None affects the path of a message. `./dev bench startup` measures the
// constants of a job's start. The tests in job/ and tools/gasnetrun/testing
// exercise the constants of a job's end. A constant was chosen by reasoning
// unless its comment says that it was measured.
#ifndef JOB_TUNING_H_
#define JOB_TUNING_H_

#include <cstddef>
#include <cstdint>

#include "base/clock.h"

namespace gasnet::job {

// After a rank calls gasnet_exit, the launcher waits this long for calls of
// other ranks before it asks the remaining ranks to end. The time is long
// compared with the time in which two ranks leave the same barrier on a busy
// host.
inline constexpr int64_t kLingerNanos = 250 * kNanosPerMilli;
// All ranks are gone, but descendants still hold an output pipe. After this
// time without output, they are assumed to write nothing more.
inline constexpr int64_t kQuietNanos = 250 * kNanosPerMilli;
// The time that an incomplete line of output waits for its remainder before a
// terminal shows it. Users do not notice shorter delays. A line that a rank
// writes in pieces is normally complete long before.
inline constexpr int64_t kPartialLineNanos = 100 * kNanosPerMilli;
// A rank wants the terminal while the job is in the background. The launcher
// checks at this interval whether the job is in the foreground again.
inline constexpr int64_t kForegroundNanos = 250 * kNanosPerMilli;
// A rank has the terminal. If it leaves input unread for this time, the
// launcher takes the terminal back and reads the input as standard input. The
// time is long compared with the time in which a reader wakes up.
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
// pause between two tries. A thread that prints unlocks its stream between two
// calls of stdio.
inline constexpr int kStreamAttempts = 100;
inline constexpr int64_t kStreamPauseNanos = kNanosPerMilli;
// A control channel that closes early usually belongs to an ending process, and
// the end of the process is reported in another way. If no process is seen to
// be ending, the report may take this long. An ending process is checked at
// this interval.
inline constexpr int64_t kLostNanos = 250 * kNanosPerMilli;
// The time for which the launcher collects departing ranks before it reports
// them. If many ranks end at about the same time, it need not report each of
// them separately to all others.
inline constexpr int64_t kDeparturesNanos = 10 * kNanosPerMilli;
// kKillNanos is the time in which the process that owns a host's ranks must
// kill them and report this. kFinalFlushNanos is the time in which either side
// must send its last messages.
inline constexpr int64_t kKillNanos = 10 * kNanosPerSecond;
inline constexpr int64_t kFinalFlushNanos = 3 * kNanosPerSecond;
// The default grace at a job's end, in seconds, is kMinGrace plus kGraceOfRank
// for each rank, but at most kMaxGrace. It applies if GASNET_EXITTIMEOUT and
// related variables do not set the grace. Two seconds suffice to flush a small
// job's output on a busy host.
inline constexpr double kMinGrace = 2;
inline constexpr double kMaxGrace = 120;
inline constexpr double kGraceOfRank = 0.01;
// The maximum number of ranks that one message names. The message only counts
// the remaining ranks. This many names fit into a line or two of a terminal.
inline constexpr size_t kNamesInOneMessage = 8;

// The time in which a waiting rank must poll after the launcher has asked it to
// note its next poll. Even on a busy host, a wait sleeps for a much shorter
// time between two polls.
inline constexpr int64_t kPollsNanos = 100 * kNanosPerMilli;
// The time in which other hosts must report the status of their ranks. It is
// short because users wait for the status.
inline constexpr int64_t kStatusNanos = 2 * kNanosPerSecond;
// The number of status rounds in the time after which a wait is reported. With
// four rounds, a status round has seen a reported wait for most of that time.
inline constexpr int kRoundsPerStall = 4;
// kMaxStatusClients is the number of processes that may ask for a job's status
// at the same time. kStatusBacklog is the number of connections that may wait
// to be accepted. A user runs fewer tools than that.
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
// The number of heartbeats that a peer should send in the time that it may be
// silent. With four, two heartbeats may be late.
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
// The size of the stack of a child until it calls exec. Our own code needs much
// less, but functions of the C library and sanitizers need more.
inline constexpr size_t kChildStackBytes = 64 << 10;

// kHeadTries is the number of times that a member tries to reach its head. Each
// try waits twice as long for an answer as the try before, up to 8 s. The first
// packet of a connection is lost if the head's listen queue is full. A new try
// then comes sooner than the kernel's retransmission.
inline constexpr int kHeadTries = 6;
inline constexpr int kFirstPatienceMillis = 250;
// The pause before a new try if the head has dropped the connection. It also
// doubles with each try.
inline constexpr int64_t kFirstPauseNanos = 20 * kNanosPerMilli;
// A head keeps this number of unproven connections in addition to one for each
// member, since all members may connect before any of them speaks. Beyond this,
// the head drops the unproven connection that has waited longest.
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
