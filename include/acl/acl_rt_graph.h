// SPDX-License-Identifier: Apache-2.0
// Part of acl/acl_rt.h: graphs. Tasks are captured once and then replayed with one call.
#ifndef ANYACL_ACL_ACL_RT_GRAPH_H_
#define ANYACL_ACL_ACL_RT_GRAPH_H_

#include "acl/acl_base.h"
#include "acl/acl_rt_stream.h"

#ifdef __cplusplus
extern "C" {
#endif

// Flags of aclmdlRIDebugJsonPrint.
#define ACL_MDLRI_DEBUG_JSON_PRINT_SUMMARY 0x0UL
#define ACL_MDLRI_DEBUG_JSON_PRINT_VERBOSE 0x1UL

typedef void* aclmdlRI;

// Which threads may not copy or set memory synchronously during a capture, because that would run
// at once and not become a part of the graph.
typedef enum {
  ACL_MODEL_RI_CAPTURE_MODE_GLOBAL = 0,    // none of the threads that use the context
  ACL_MODEL_RI_CAPTURE_MODE_THREAD_LOCAL,  // the one that began the capture
  ACL_MODEL_RI_CAPTURE_MODE_RELAXED        // every thread may
} aclmdlRICaptureMode;

typedef enum {
  ACL_MODEL_RI_CAPTURE_STATUS_NONE = 0,
  ACL_MODEL_RI_CAPTURE_STATUS_ACTIVE,
  ACL_MODEL_RI_CAPTURE_STATUS_INVALIDATED
} aclmdlRICaptureStatus;

// From here to aclmdlRICaptureEnd the tasks of the stream are not run but become those of a graph.
// A stream that waits for an event recorded in the capture (one of aclrtCreateEventExWithFlag with
// ACL_EVENT_SYNC) joins it; what it does must be waited for in turn before the end.
//
// Not captured, and refused:
//   107027  synchronising, querying or destroying a captured stream; synchronising its device
//   107028  querying or synchronising an event that was recorded in the capture
//   107030  aclrtMemcpy, aclrtMemcpy2d and aclrtMemset where the mode forbids them
//   107041  likewise an asynchronous copy to or from pageable memory on another stream
//   107000  such a copy on a captured stream
//   107024  waiting for an event that was recorded outside
//   207000  classic events without ACL_EVENT_EXTERNAL, and events across processes
//   107031  the default stream
//   107032  waiting for an event of another capture; both captures become invalid
//   507903  any task, after the capture has become invalid
//
// A graph keeps addresses, not memory: what its tasks use must live as long as the graph.
//   107027  the stream is being captured already
ACL_FUNC_VISIBILITY aclError aclmdlRICaptureBegin(aclrtStream stream, aclmdlRICaptureMode mode);

// Whether the stream is being captured, and its graph (null if not), which has a handle already and
// cannot be executed yet. One of status and modelRI may be null.
ACL_FUNC_VISIBILITY aclError aclmdlRICaptureGetInfo(aclrtStream stream,
                                                    aclmdlRICaptureStatus* status,
                                                    aclmdlRI* modelRI);

// Ends the capture on the stream in which it began. After a failure other than 107029 and 107036
// the streams take tasks again, too, and there is no graph.
//   107025  a stream that joined has tasks for which this one does not wait
//   107029  the stream is not being captured
//   107033  a task group is open
//   107036  the capture began on another stream
//   107038  another thread than that of aclmdlRICaptureBegin, in a mode other than RELAXED
//   507903  the capture has become invalid
ACL_FUNC_VISIBILITY aclError aclmdlRICaptureEnd(aclrtStream stream, aclmdlRI* modelRI);

// Swaps *mode with the calling thread's own mode, which is GLOBAL at first. In mode RELAXED a
// thread may copy synchronously during every capture, in THREAD_LOCAL during those of others.
ACL_FUNC_VISIBILITY aclError aclmdlRICaptureThreadExchangeMode(aclmdlRICaptureMode* mode);

// Runs the tasks of the graph: before what is enqueued on the stream later and after what was
// enqueued before; streams that were captured together run side by side. Replays of one graph
// exclude each other. The first error of a task is that of the whole.
//   107004  the stream belongs to another context than the graph
//   107026  the graph is being captured
//   107027  the stream is being captured
ACL_FUNC_VISIBILITY aclError aclmdlRIExecuteAsync(aclmdlRI modelRI, aclrtStream stream);

// On the default stream of the current context, and waits for it: timeout milliseconds, for ever
// with -1. As aclrtSynchronizeStreamWithTimeout it returns earlier errors of that stream, too.
//   107000  timeout 0 or below -1
//   507046  time is up
ACL_FUNC_VISIBILITY aclError aclmdlRIExecute(aclmdlRI modelRI, int32_t timeout);

// Replays that are enqueued already still run. A graph that ended with its device or context is
// destroyed, too, once. 107026: the graph is being captured.
ACL_FUNC_VISIBILITY aclError aclmdlRIDestroy(aclmdlRI modelRI);

// Names of at most 511 bytes; longer ones are cut. GetName writes at most maxLen bytes, the zero at
// the end included; a graph without a name has the empty one.
ACL_FUNC_VISIBILITY aclError aclmdlRISetName(aclmdlRI modelRI, const char* name);
ACL_FUNC_VISIBILITY aclError aclmdlRIGetName(aclmdlRI modelRI, uint32_t maxLen, char* name);

// A number that names the graph in dumps.
ACL_FUNC_VISIBILITY aclError aclmdlRIGetId(aclmdlRI modelRI, uint32_t* modelRIId);

// Writes the tasks in the format of chrome://tracing. Both flags write the same: tasks here have no
// kernel arguments. 107009: the file cannot be opened; 107010: nor written.
ACL_FUNC_VISIBILITY aclError aclmdlRIDebugJsonPrint(aclmdlRI modelRI, const char* path,
                                                    uint32_t flags);

// Writes the same to the log, at level INFO.
ACL_DEPRECATED_MESSAGE("use aclmdlRIDebugJsonPrint")
ACL_FUNC_VISIBILITY aclError aclmdlRIDebugPrint(aclmdlRI modelRI);

// A task group: the tasks of one captured stream between these can be replaced later. Operators and
// asynchronous copies only (507009).
//   107029  the stream is not being captured
//   107033  a group is open already, or none is
ACL_FUNC_VISIBILITY aclError aclmdlRICaptureTaskGrpBegin(aclrtStream stream);
ACL_FUNC_VISIBILITY aclError aclmdlRICaptureTaskGrpEnd(aclrtStream stream, aclrtTaskGrp* handle);

// Tasks enqueued on the stream between these are not run but replace, one by one, those of the
// group. That happens when the stream gets there: order it before the replay that is to see it.
//   107017  the handle is not alive, or its graph was destroyed
//   107027  the stream is being captured
//   107033  the stream updates a group already, or another stream this group, or none is updated
//   507000  more or fewer tasks than the group has; the group stays as it is
//   507009  a task of another kind than the one that it is to replace
ACL_FUNC_VISIBILITY aclError aclmdlRICaptureTaskUpdateBegin(aclrtStream stream,
                                                            aclrtTaskGrp handle);
ACL_FUNC_VISIBILITY aclError aclmdlRICaptureTaskUpdateEnd(aclrtStream stream);

#ifdef __cplusplus
}
#endif

#endif  // ANYACL_ACL_ACL_RT_GRAPH_H_
