// Constants that tune job control: durations of waits and sizes of buffers.
// They do not affect the path of a message. `./dev bench startup` measures the
// constants of a job's start. The tests in job/ and tools/gasnetrun/testing
// exercise the constants of a job's end. A constant was chosen by reasoning
// unless its comment says that it was measured.
#ifndef JOB_TUNING_H_
#define JOB_TUNING_H_

#include <cstddef>
#include <cstdint>

#include "base/clock.h"

namespace gasnet::job {

// The time that the launcher waits after a call of gasnet_exit. If no other
// rank calls gasnet_exit in this time, the launcher asks the remaining ranks to
// end. The time is long compared with the time in which two ranks leave the
// same barrier on a busy host.
inline constexpr int64_t kLingerNanos = 250 * kNanosPerMilli;
// The time without output after which the launcher stops reading an output
// pipe. This applies when all ranks are gone but descendants still hold the
// pipe.
inline constexpr int64_t kQuietNanos = 250 * kNanosPerMilli;
// The time that an incomplete line of output waits for its remainder before a
// terminal shows it. Users do not notice shorter delays. A line that a rank
// writes in pieces is normally complete long before.
inline constexpr int64_t kPartialLineNanos = 100 * kNanosPerMilli;
// The interval at which the launcher checks if the job is in the foreground
// again, while a rank wants the terminal.
inline constexpr int64_t kForegroundNanos = 250 * kNanosPerMilli;
// The time for which a rank that has the terminal may leave input unread. After
// it, the launcher takes the terminal back and reads the input as standard
// input. The time is long compared with the time in which a reader wakes up.
inline constexpr int64_t kUnreadNanos = 500 * kNanosPerMilli;
// The additional time that ranks have after their grace time. In this time, a
// rank can flush its output (job/process_end.h), even on a busy host.
inline constexpr int64_t kFlushNanos = 2 * kNanosPerSecond;
// The part of kFlushNanos in which a client that has used up its grace may
// flush its streams, before the launcher kills it.
inline constexpr int64_t kLateFlushNanos = 200 * kNanosPerMilli;
// The time in which a process that has no job (yet) may flush its streams at
// its end.
inline constexpr int64_t kDefaultFlushNanos = kNanosPerSecond;
// kStreamAttempts is the number of times that an ending thread tries to lock a
// stream. kStreamPauseNanos is the pause between two tries. A thread that
// prints unlocks its stream between two calls of stdio.
inline constexpr int kStreamAttempts = 100;
inline constexpr int64_t kStreamPauseNanos = kNanosPerMilli;
// A control channel that closes early usually belongs to an ending process. The
// launcher then reports the end of the process, not the loss of the channel. If
// no process is seen to be ending, the launcher waits this long for such a
// report. While a process is ending, the launcher checks it at this interval.
inline constexpr int64_t kLostNanos = 250 * kNanosPerMilli;
// The time for which the launcher collects departing ranks before it reports
// them. If many ranks end at about the same time, one report then serves for
// all of them.
inline constexpr int64_t kDeparturesNanos = 10 * kNanosPerMilli;
// kKillNanos is the time in which the owner of a host's ranks must kill them
// and report that they are dead. kFinalFlushNanos is the time in which the
// owner or the supervisor must send its last messages.
inline constexpr int64_t kKillNanos = 10 * kNanosPerSecond;
inline constexpr int64_t kFinalFlushNanos = 3 * kNanosPerSecond;
// The default grace time at a job's end, in seconds, is kMinGrace plus
// kGraceOfRank for each rank, but at most kMaxGrace. GASNET_EXITTIMEOUT and
// related variables override it. Two seconds suffice to flush a small job's
// output on a busy host.
inline constexpr double kMinGrace = 2;
inline constexpr double kMaxGrace = 120;
inline constexpr double kGraceOfRank = 0.01;
// The maximum number of ranks that one message names. The message only counts
// the remaining ranks. So the names fit into a line or two of a terminal.
inline constexpr size_t kNamesInOneMessage = 8;

// The time in which a waiting rank must poll after the launcher has asked it to
// note its next poll. Even on a busy host, a wait sleeps for a much shorter
// time between two polls.
inline constexpr int64_t kPollsNanos = 100 * kNanosPerMilli;
// The time in which other hosts must report the status of their ranks. Users
// wait for the status, so the time is short.
inline constexpr int64_t kStatusNanos = 2 * kNanosPerSecond;
// The number of status rounds in the time after which a wait is reported. A
// reported wait has then been seen in most of these rounds.
inline constexpr int kRoundsPerStall = 4;
// kMaxStatusClients is the number of processes that may ask for a job's status
// at the same time. kStatusBacklog is the number of connections that may wait
// to be accepted. A user normally runs fewer tools.
inline constexpr size_t kMaxStatusClients = 16;
inline constexpr int kStatusBacklog = 8;
// The time before a job's time limit at which ranks report their status for the
// last time. A round among responsive hosts takes less time.
inline constexpr int64_t kLastLookNanos = 500 * kNanosPerMilli;
// The shortest wait that is reported at the end of a job. Waits in a healthy
// job are shorter.
inline constexpr int64_t kLongWaitNanos = kNanosPerSecond;

// The time in which a HELLO or MEMBER must arrive. A peer sends it in one
// piece, so the limit only bounds the cost of a broken or foreign connection.
inline constexpr int64_t kHelloNanos = 10 * kNanosPerSecond;
// The number of heartbeats that a peer should send in the time that it may be
// silent. With four heartbeats, two may be late.
inline constexpr int kBeatsInSilence = 4;

// The bytes of one read from a pipe or stream: the capacity of a pipe.
inline constexpr size_t kReadBytes = 64 << 10;
// The number of reads that empty a pipe of the largest unprivileged size. This
// limit prevents a process that writes endlessly from blocking this process.
inline constexpr int kReadsToEmpty = 17;
// The bytes of one read from a control channel. Its frames are short.
inline constexpr size_t kReceiveBytes = 16 << 10;
// The bytes of standard input that are passed on at a time.
inline constexpr size_t kInputBytes = 4096;
// The bytes of output that may wait for their reader. This is enough to keep a
// reader busy, and little enough to stop a rank that writes faster than the
// reader reads.
inline constexpr size_t kBackedUpBytes = 256 << 10;
// The longest line of output that gets one rank label. Longer lines are cut.
inline constexpr size_t kLongestLine = 1 << 20;
// The largest number of descriptors that one round of the event loop handles.
inline constexpr int kEventsAtOnce = 64;
// The longest single wait of the event loop. After it, the loop checks its
// timers and goes on, so any length that epoll accepts works.
inline constexpr int64_t kLongestWaitMillis = 3'600'000;
// The maximum number of bytes that a login shell may print before the peer's
// preamble. A stream without a preamble in this many bytes is not from a peer.
// The limit is several times a long greeting.
inline constexpr size_t kLongestBeforePreamble = 256 << 10;
// The size of a child's stack until it calls exec. Our own code needs much
// less, but functions of the C library and sanitizers need more.
inline constexpr size_t kChildStackBytes = 64 << 10;

// kHeadTries is the number of times that a member tries to reach its head. The
// first try waits kFirstPatienceMillis for an answer. Each further try waits
// twice as long as the try before, up to 8 s. If the head's listen queue is
// full, the first packet of a connection is lost. A new try then comes sooner
// than the kernel's retransmission.
inline constexpr int kHeadTries = 6;
inline constexpr int kFirstPatienceMillis = 250;
// The pause before a new try if the head has dropped the connection. The pause
// doubles with each try.
inline constexpr int64_t kFirstPauseNanos = 20 * kNanosPerMilli;
// The number of unproven connections that a head keeps in addition to one for
// each member. All members may connect before any of them sends its proof. If
// there are more connections, the head drops the unproven one that has waited
// longest.
inline constexpr size_t kMaxStrangers = 256;
// The maximum number of addresses that a head publishes. Hosts have fewer
// networks.
inline constexpr size_t kMaxPublished = 8;
// The largest number of connections that are accepted before existing ones are
// served again.
inline constexpr int kAcceptsAtOnce = 64;
// TCP keep-alive: a connection that is silent for 30 s is probed every 5 s. The
// connection is lost if six probes stay unanswered, or if sent data stays
// unacknowledged for a minute.
inline constexpr int kIdleSeconds = 30;
inline constexpr int kQuestionSeconds = 5;
inline constexpr int kQuestions = 6;
inline constexpr unsigned kUnacknowledgedMillis = 60'000;

}  // namespace gasnet::job

#endif  // JOB_TUNING_H_
