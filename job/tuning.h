// Constants that tune job control: how long whom is waited for, and how much
// waits on its way. None is on the path of a message; `./dev bench startup`
// shows those of the start, the tests in job/ and tools/gasnetrun/testing those
// of the end. All are reasoned; where one was measured its comment says so.
#ifndef JOB_TUNING_H_
#define JOB_TUNING_H_

#include <cstddef>
#include <cstdint>

#include "base/clock.h"

namespace gasnet::job {

// How long after the last gasnet_exit the launcher still waits for others to
// call it too, before it asks them to: long against the time two ranks that
// leave the same barrier need to do so on a busy host.
inline constexpr int64_t kLingerNanos = 250 * kNanosPerMilli;
// How long output may be silent, after all ranks are gone, before descendants
// that still hold a pipe are taken to have nothing more to say.
inline constexpr int64_t kQuietNanos = 250 * kNanosPerMilli;
// How long the beginning of a line may wait for its end before a terminal shows
// it as it is: a user notices no less, and a line that is written in pieces is
// complete long before.
inline constexpr int64_t kPartialLineNanos = 100 * kNanosPerMilli;
// How often a job whose rank wants the terminal looks whether it has come into
// the foreground.
inline constexpr int64_t kForegroundNanos = 250 * kNanosPerMilli;
// Input that the rank that has the terminal leaves unread for so long is for
// standard input: long against the time a reader takes to wake up.
inline constexpr int64_t kUnreadNanos = 500 * kNanosPerMilli;
// The time that ranks have beyond their grace: one that was given all of it
// flushes its output then (job/process_end.h), on a busy host too.
inline constexpr int64_t kFlushNanos = 2 * kNanosPerSecond;
// A client that has used up its grace has so much of that for its streams,
// before the launcher kills it.
inline constexpr int64_t kLateFlushNanos = 200 * kNanosPerMilli;
// The same of a process that has no job yet.
inline constexpr int64_t kDefaultFlushNanos = kNanosPerSecond;
// A thread that prints lets go of its stream between two calls: how often, and
// at what distance, one that ends tries to get it.
inline constexpr int kStreamAttempts = 100;
inline constexpr int64_t kStreamPauseNanos = kNanosPerMilli;
// A channel that closes early is mostly a process that ends, which is reported
// another way: how long that may take once nothing of it can be seen to end any
// more, and how often one that ends is looked at.
inline constexpr int64_t kLostNanos = 250 * kNanosPerMilli;
// How long ranks that depart are gathered, so that many that end at about the
// same time are not reported to as many one by one.
inline constexpr int64_t kDeparturesNanos = 10 * kNanosPerMilli;
// How long the owner of a host's ranks has to kill them and say so, and how
// long the last messages of either side may take to leave it.
inline constexpr int64_t kKillNanos = 10 * kNanosPerSecond;
inline constexpr int64_t kFinalFlushNanos = 3 * kNanosPerSecond;
// The grace of a job's end, in seconds, where GASNET_EXITTIMEOUT and its like
// do not set it: from the least on so much more a rank, up to the most. Two
// seconds flush a small job's output on a busy host.
inline constexpr double kLeastGrace = 2;
inline constexpr double kMostGrace = 120;
inline constexpr double kGraceOfRank = 0.01;
// Ranks that one message names, all others it counts: what fits into a line or
// two of a terminal.
inline constexpr size_t kNamesInOneMessage = 8;

// A HELLO or MEMBER is sent in one piece; this only bounds what a broken or
// strange one costs.
inline constexpr int64_t kHelloNanos = 10 * kNanosPerSecond;
// Beats in the time that a peer may be silent: two may be late.
inline constexpr int kBeatsInSilence = 4;

// Bytes of one read from a pipe or stream: what a pipe holds.
inline constexpr size_t kReadBytes = 64 << 10;
// Reads that empty a pipe of the largest size that needs no privilege; a
// process that writes without end does not hold us.
inline constexpr int kReadsToEmpty = 17;
// The same of a control channel, which carries short frames.
inline constexpr size_t kReceiveBytes = 16 << 10;
// Standard input that is handed on at once.
inline constexpr size_t kInputBytes = 4096;
// Output that waits for its reader: enough to keep one busy, little enough to
// stop a rank that outruns it.
inline constexpr size_t kBackedUpBytes = 256 << 10;
// A line that is longer is cut where output is labelled by rank.
inline constexpr size_t kLongestLine = 1 << 20;
// Descriptors that one round of the event loop takes up.
inline constexpr int kEventsAtOnce = 64;
// The event loop waits no longer at a time. Any length does that epoll takes,
// since it looks at its timers anew and goes on.
inline constexpr int64_t kLongestWaitMillis = 3'600'000;
// Bytes that a login shell may print before the other end speaks; a stream of
// more is none of ours. Several times a long greeting.
inline constexpr size_t kLongestBeforePreamble = 256 << 10;
// The stack of a child until it calls exec: many times what our code takes, as
// the C library's and a sanitizer's functions take more.
inline constexpr size_t kChildStackBytes = 64 << 10;

// How often a member tries to reach its head. Each time an answer is waited for
// twice as long, up to 8 s in the end: a connection whose first packet was lost
// because the queue of the head's listener was full comes sooner anew than the
// kernel would send that packet again.
inline constexpr int kHeadTries = 6;
inline constexpr int kFirstPatienceMillis = 250;
// The pause when the head has dropped it; it doubles too.
inline constexpr int64_t kFirstPauseNanos = 20 * kNanosPerMilli;
// Connections that a head keeps besides as many as there are members, which may
// all connect before any of them speaks. The stranger that waits longest makes
// room.
inline constexpr size_t kMaxStrangers = 256;
// Addresses that a head publishes: more are as many networks as anybody
// connects by.
inline constexpr size_t kMaxPublished = 8;
// Connections accepted before those are looked at again that have spoken.
inline constexpr int kAcceptsAtOnce = 64;
// A connection that is silent for 30 s is asked every 5 s, and is lost when six
// questions stay unanswered, or when what was sent is, for a minute.
inline constexpr int kIdleSeconds = 30;
inline constexpr int kQuestionSeconds = 5;
inline constexpr int kQuestions = 6;
inline constexpr unsigned kUnacknowledgedMillis = 60'000;

}  // namespace gasnet::job

#endif  // JOB_TUNING_H_
