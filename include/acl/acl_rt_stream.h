// SPDX-License-Identifier: Apache-2.0
// Part of acl/acl_rt.h: streams, timeouts, events and callbacks.
#ifndef ANYACL_ACL_ACL_RT_STREAM_H_
#define ANYACL_ACL_ACL_RT_STREAM_H_

#include "acl/acl_base.h"

#ifdef __cplusplus
extern "C" {
#endif

// Flags of aclrtCreateStreamWithConfig.
#define ACL_STREAM_FAST_LAUNCH 0x00000001U
#define ACL_STREAM_FAST_SYNC 0x00000002U
#define ACL_STREAM_PERSISTENT 0x00000004U
#define ACL_STREAM_HUGE 0x00000008U
#define ACL_STREAM_CPU_SCHEDULE 0x00000010U
#define ACL_STREAM_DEVICE_USE_ONLY 0x00000020U

// Modes of aclrtSetStreamFailureMode.
#define ACL_CONTINUE_ON_FAILURE 0x00000000U
#define ACL_STOP_ON_FAILURE 0x00000001U

// Flags of aclrtCreateEventWithFlag and aclrtCreateEventExWithFlag.
#define ACL_EVENT_SYNC 0x00000001U
#define ACL_EVENT_CAPTURE_STREAM_PROGRESS 0x00000002U
#define ACL_EVENT_TIME_LINE 0x00000008U
#define ACL_EVENT_DEVICE_USE_ONLY 0x00000010U
#define ACL_EVENT_EXTERNAL 0x00000020U
#define ACL_EVENT_IPC 0x00000040U

// Flags of aclrtRecordEventWithFlag and aclrtStreamWaitEventWithFlag.
#define ACL_EVENT_RECORD_DEFAULT 0x0U
#define ACL_EVENT_RECORD_EXTERNAL 0x01U
#define ACL_EVENT_WAIT_DEFAULT 0x0U
#define ACL_EVENT_WAIT_EXTERNAL 0x01U

#define ACL_IPC_EVENT_HANDLE_SIZE 64U

typedef struct aclrtIpcEventHandle {
  char reserved[ACL_IPC_EVENT_HANDLE_SIZE];
} aclrtIpcEventHandle;

typedef enum aclrtStreamStatus {
  ACL_STREAM_STATUS_COMPLETE = 0,
  ACL_STREAM_STATUS_NOT_READY = 1,
  ACL_STREAM_STATUS_RESERVED = 0xFFFF
} aclrtStreamStatus;

// Complete is 0 here and 1 in aclrtEventRecordedStatus.
typedef enum aclrtEventStatus {
  ACL_EVENT_STATUS_COMPLETE = 0,
  ACL_EVENT_STATUS_NOT_READY = 1,
  ACL_EVENT_STATUS_RESERVED = 2
} aclrtEventStatus;

typedef enum aclrtEventRecordedStatus {
  ACL_EVENT_RECORDED_STATUS_NOT_READY = 0,
  ACL_EVENT_RECORDED_STATUS_COMPLETE = 1
} aclrtEventRecordedStatus;

typedef enum aclrtEventWaitStatus {
  ACL_EVENT_WAIT_STATUS_COMPLETE = 0,
  ACL_EVENT_WAIT_STATUS_NOT_READY = 1,
  ACL_EVENT_WAIT_STATUS_RESERVED = 0xFFFF
} aclrtEventWaitStatus;

typedef enum aclrtCallbackBlockType {
  ACL_CALLBACK_NO_BLOCK = 0,
  ACL_CALLBACK_BLOCK = 1
} aclrtCallbackBlockType;

typedef enum {
  ACL_RT_STREAM_WORK_ADDR_PTR = 0,  // void*
  ACL_RT_STREAM_WORK_SIZE = 1,      // size_t
  ACL_RT_STREAM_FLAG = 2,           // size_t or uint32_t
  ACL_RT_STREAM_PRIORITY = 3        // uint32_t, 0 to 7
} aclrtStreamConfigAttr;

// Made by aclrtCreateStreamConfigHandle alone.
typedef struct aclrtStreamConfigHandle {
  void* workptr;
  size_t workSize;
  size_t flag;
  uint32_t priority;
} aclrtStreamConfigHandle;

typedef enum {
  ACL_STREAM_ATTR_FAILURE_MODE = 1,
  ACL_STREAM_ATTR_FLOAT_OVERFLOW_CHECK = 2,
  ACL_STREAM_ATTR_USER_CUSTOM_TAG = 3,
  ACL_STREAM_ATTR_CACHE_OP_INFO = 4,
  ACL_STREAM_ATTR_PRIORITY = 5
} aclrtStreamAttr;

typedef union {
  uint64_t failureMode;        // As for aclrtSetStreamFailureMode.
  uint32_t overflowSwitch;     // As for aclrtSetStreamOverflowSwitch.
  uint32_t userCustomTag;      // Any number.
  uint32_t cacheOpInfoSwitch;  // 0 or 1.
  uint32_t streamPriority;     // 0 (first) to 7.
  uint32_t reserve[4];
} aclrtStreamAttrValue;

typedef void (*aclrtCallback)(void* userData);
typedef void (*aclrtHostFunc)(void* args);

// Streams. A null handle stands for the default stream of the current context, except in the two
// destroy functions and aclrtStreamAbort. Tasks of one stream run in the order of their enqueueing;
// streams are not ordered among each other. 107002: the thread has no context, whatever the stream.

// 207008: no stream left on the device.
ACL_FUNC_VISIBILITY aclError aclrtCreateStream(aclrtStream* stream);

// priority is reserved; unknown bits of flag are ignored.
ACL_FUNC_VISIBILITY aclError aclrtCreateStreamWithConfig(aclrtStream* stream, uint32_t priority,
                                                         uint32_t flag);

// The same with a configuration: make one, set its attributes, create streams with it, destroy it.
// The working memory would be a model's and has no effect; a null handle stands for defaults.
// Create returns null if host memory is exhausted.
//   100000  handle or attrValue is null, attr outside the list, valueSize not the attribute's,
//           priority above 7
//   107017  handle is no configuration that is alive
ACL_FUNC_VISIBILITY aclrtStreamConfigHandle* aclrtCreateStreamConfigHandle(void);
ACL_FUNC_VISIBILITY aclError aclrtDestroyStreamConfigHandle(aclrtStreamConfigHandle* handle);
ACL_FUNC_VISIBILITY aclError aclrtSetStreamConfigOpt(aclrtStreamConfigHandle* handle,
                                                     aclrtStreamConfigAttr attr,
                                                     const void* attrValue, size_t valueSize);
ACL_FUNC_VISIBILITY aclError aclrtCreateStreamV2(aclrtStream* stream,
                                                 const aclrtStreamConfigHandle* handle);

// Destroy waits for the queued work, DestroyForce drops it. 107003: a stream of another context.
ACL_FUNC_VISIBILITY aclError aclrtDestroyStream(aclrtStream stream);
ACL_FUNC_VISIBILITY aclError aclrtDestroyStreamForce(aclrtStream stream);

// Wait until the stream is idle; return the first error of its tasks since the last wait. The
// timeout is in milliseconds, -1 waits for ever.
//   107000  timeout is 0 or below -1
//   107023  the stream was aborted meanwhile, and what was running then is over
//   507046  time is up
//   507017  a task that waits for others ran longer than the execution timeout
ACL_FUNC_VISIBILITY aclError aclrtSynchronizeStream(aclrtStream stream);
ACL_FUNC_VISIBILITY aclError aclrtSynchronizeStreamWithTimeout(aclrtStream stream, int32_t timeout);

// Tells without waiting whether the stream is idle.
ACL_FUNC_VISIBILITY aclError aclrtStreamQuery(aclrtStream stream, aclrtStreamStatus* status);

// A number that names the stream in logs.
ACL_FUNC_VISIBILITY aclError aclrtStreamGetId(aclrtStream stream, int32_t* streamId);

// What the stream was created with, less unknown bits of flag, or the priority set since; 0 for
// other streams. Both have no effect.
ACL_FUNC_VISIBILITY aclError aclrtStreamGetPriority(aclrtStream stream, uint32_t* priority);
ACL_FUNC_VISIBILITY aclError aclrtStreamGetFlags(aclrtStream stream, uint32_t* flags);

// Ends the running task as far as it can be ended and drops the queued ones. Threads that wait for
// the stream get 107023 once the running task is over; the stream then takes tasks again, even if
// it had stopped at a failure.
ACL_FUNC_VISIBILITY aclError aclrtStreamAbort(aclrtStream stream);

// ACL_CONTINUE_ON_FAILURE (default): tasks after a failed one still run. ACL_STOP_ON_FAILURE: they
// are dropped and new ones refused. Any other mode is an error.
ACL_FUNC_VISIBILITY aclError aclrtSetStreamFailureMode(aclrtStream stream, uint64_t mode);

// One attribute of a stream, by the member of value that has its name. The failure mode and the
// switch for overflow are those of the functions of that name; the others are kept, read back and
// have no effect: all streams run at once, and nothing collects information on operators.
//   107000  no such attribute, or a value that it does not take; a priority above 7 becomes 7
ACL_FUNC_VISIBILITY aclError aclrtSetStreamAttribute(aclrtStream stream,
                                                     aclrtStreamAttr stmAttrType,
                                                     aclrtStreamAttrValue* value);
ACL_FUNC_VISIBILITY aclError aclrtGetStreamAttribute(aclrtStream stream,
                                                     aclrtStreamAttr stmAttrType,
                                                     aclrtStreamAttrValue* value);

// Holds the stream until the event's last record (as of this call) has completed. An event that was
// never recorded does not hold it; but one of aclrtCreateEventWithFlag holds it, as after a reset,
// until it is recorded on another stream. 207000: an event made with flags, but not ACL_EVENT_SYNC.
ACL_FUNC_VISIBILITY aclError aclrtStreamWaitEvent(aclrtStream stream, aclrtEvent event);

// The same for at most timeout seconds, 0 for ever; after that aclrtSynchronizeStream returns
// 107019 and what the stream holds goes on. ACL_EVENT_WAIT_EXTERNAL (timeout 0) makes each
// execution of the graph into which the stream is captured wait for the event's last record as of
// aclmdlRIExecuteAsync. The executing stream waits before the first task of the graph: what an
// execution of its own records cannot end that. Not captured, it is as without the flag.
//   107000  timeout below 0; the graph records the event itself
//   207000  the graph is a part of another, or the event is none of aclrtCreateEventExWithFlag
ACL_FUNC_VISIBILITY aclError aclrtStreamWaitEventWithTimeout(aclrtStream stream, aclrtEvent event,
                                                             int32_t timeout);
ACL_FUNC_VISIBILITY aclError aclrtStreamWaitEventWithFlag(aclrtStream stream, aclrtEvent event,
                                                          uint32_t timeout, uint32_t flag);

// Execution timeout of tasks that wait for others, counted from the start of the task; computing
// tasks are never cut off. One value for the process, the last call wins; 0 means never.

ACL_FUNC_VISIBILITY aclError aclrtSetOpExecuteTimeOut(uint32_t timeout);        // Seconds.
ACL_FUNC_VISIBILITY aclError aclrtSetOpExecuteTimeOutWithMs(uint32_t timeout);  // Milliseconds.

// Microseconds. actualTimeout receives the value in force, UINT64_MAX for never.
ACL_FUNC_VISIBILITY aclError aclrtSetOpExecuteTimeOutV2(uint64_t timeout, uint64_t* actualTimeout);

// The step of the execution timeout, in microseconds.
ACL_FUNC_VISIBILITY aclError aclrtGetOpTimeOutInterval(uint64_t* interval);

// The execution timeout in force, in milliseconds; UINT32_MAX for never.
ACL_FUNC_VISIBILITY aclError aclrtGetOpExecuteTimeout(uint32_t* const timeoutMs);

// Seconds that a wait of aclrtStreamWaitEvent may last which is enqueued from now on: as if
// aclrtStreamWaitEventWithTimeout had been called with them. 0, the default: as long as it takes.
ACL_FUNC_VISIBILITY aclError aclrtSetOpWaitTimeout(uint32_t timeout);

// Events. There are two kinds. Classic events come from aclrtCreateEvent and
// aclrtCreateEventWithFlag. Ex events come from aclrtCreateEventExWithFlag: they count as complete
// before the first record, and a new record replaces the old one; aclrtResetEvent, aclrtQueryEvent
// and aclrtQueryEventWaitStatus refuse them.
// A classic event made with ACL_EVENT_EXTERNAL is a flag: aclrtRecordEvent sets it when the stream
// gets there, aclrtResetEvent clears it, aclrtStreamWaitEvent waits until it is set. A graph may
// contain all three. It has no time.

ACL_FUNC_VISIBILITY aclError aclrtCreateEvent(aclrtEvent* event);
ACL_FUNC_VISIBILITY aclError aclrtCreateEventWithFlag(aclrtEvent* event, uint32_t flag);
ACL_FUNC_VISIBILITY aclError aclrtCreateEventExWithFlag(aclrtEvent* event, uint32_t flag);

// Allowed while streams still wait for the event.
ACL_FUNC_VISIBILITY aclError aclrtDestroyEvent(aclrtEvent event);

// Captures the tasks that the stream holds at this moment.
ACL_FUNC_VISIBILITY aclError aclrtRecordEvent(aclrtEvent event, aclrtStream stream);

// ACL_EVENT_RECORD_EXTERNAL makes each execution of the graph into which the stream is captured
// record the event for other streams, which wait for the end of the whole execution then.
//   107000  the graph records or awaits the event already
ACL_FUNC_VISIBILITY aclError aclrtRecordEventWithFlag(aclrtEvent event, aclrtStream stream,
                                                      uint32_t flag);

// Makes a classic event reusable. It needs ACL_EVENT_SYNC if it was created with flags.
ACL_FUNC_VISIBILITY aclError aclrtResetEvent(aclrtEvent event, aclrtStream stream);

ACL_DEPRECATED_MESSAGE("use aclrtQueryEventStatus")
ACL_FUNC_VISIBILITY aclError aclrtQueryEvent(aclrtEvent event, aclrtEventStatus* status);

// Whether the recorded tasks have completed. Before the first record a classic event is not ready
// here, but complete for aclrtQueryEvent.
ACL_FUNC_VISIBILITY aclError aclrtQueryEventStatus(aclrtEvent event,
                                                   aclrtEventRecordedStatus* status);

// Whether the streams that wait for the event have all passed it.
ACL_FUNC_VISIBILITY aclError aclrtQueryEventWaitStatus(aclrtEvent event,
                                                       aclrtEventWaitStatus* status);

// Wait for the recorded tasks, before the first record for none. The timeout is in milliseconds, -1
// waits for ever.
//   107000  timeout is 0 or below -1
//   107023  the stream of the record was aborted meanwhile
//   507047  time is up
ACL_FUNC_VISIBILITY aclError aclrtSynchronizeEvent(aclrtEvent event);
ACL_FUNC_VISIBILITY aclError aclrtSynchronizeEventWithTimeout(aclrtEvent event, int32_t timeout);

// For other processes of this user and this machine, which open the event while it lives: one that
// aclrtCreateEventExWithFlag made with ACL_EVENT_IPC (107000). In both processes it can be
// recorded, waited for and queried; records that are dropped with their stream count as complete,
// and those of a process that ends before never complete. It has no time and cannot be captured.
//   107000  no such handle, or its process has ended
ACL_FUNC_VISIBILITY aclError aclrtIpcGetEventHandle(aclrtEvent event, aclrtIpcEventHandle* handle);
ACL_FUNC_VISIBILITY aclError aclrtIpcOpenEventHandle(aclrtIpcEventHandle handle, aclrtEvent* event);

// Milliseconds from one completed event to another, to 0.001; negative if endEvent completed first.
// 107006 or 507000: not both are completed.
ACL_FUNC_VISIBILITY aclError aclrtEventElapsedTime(float* ms, aclrtEvent startEvent,
                                                   aclrtEvent endEvent);

// When the event completed, in microseconds of the device's clock.
ACL_FUNC_VISIBILITY aclError aclrtEventGetTimestamp(aclrtEvent event, uint64_t* timestamp);

// A number that names the event in logs.
ACL_FUNC_VISIBILITY aclError aclrtGetEventId(aclrtEvent event, uint32_t* eventId);

// Callbacks. There are two ways, not to be mixed on one stream: callbacks served by a thread of the
// program, and host functions that the stream runs itself.

// Lets the thread serve the callbacks of the stream; the number is that of pthread_self.
// 107011: the stream is served already.
ACL_FUNC_VISIBILITY aclError aclrtSubscribeReport(uint64_t threadId, aclrtStream stream);
ACL_FUNC_VISIBILITY aclError aclrtUnSubscribeReport(uint64_t threadId, aclrtStream stream);

// Runs the callbacks due for the calling thread; waits up to timeout milliseconds for one, for ever
// with -1.
//   100000  timeout neither -1 nor above 0
//   107012  the thread serves no stream
//   507012  nothing was due
ACL_FUNC_VISIBILITY aclError aclrtProcessReport(int32_t timeout);

// Queues fn for the thread that serves the stream when its turn comes. With ACL_CALLBACK_BLOCK the
// stream waits until it has run. 107015: no thread serves the stream; from the synchronising calls:
// none did when the turn came, and fn was not run.
ACL_FUNC_VISIBILITY aclError aclrtLaunchCallback(aclrtCallback fn, void* userData,
                                                 aclrtCallbackBlockType blockType,
                                                 aclrtStream stream);

// Queues fn as a task of the stream. It must not call functions that wait or free.
ACL_FUNC_VISIBILITY aclError aclrtLaunchHostFunc(aclrtStream stream, aclrtHostFunc fn, void* args);

#ifdef __cplusplus
}
#endif

#endif  // ANYACL_ACL_ACL_RT_STREAM_H_
