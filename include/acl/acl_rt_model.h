// SPDX-License-Identifier: Apache-2.0
// Part of acl/acl_rt.h: models built by hand, whose streams switch to each other and to labels, and
// conditions in captured graphs. Both are executed as graphs are (acl/acl_rt_graph.h).
#ifndef ANYACL_ACL_ACL_RT_MODEL_H_
#define ANYACL_ACL_ACL_RT_MODEL_H_

#include "acl/acl_base.h"
#include "acl/acl_rt_graph.h"
#include "acl/acl_rt_stream.h"

#ifdef __cplusplus
extern "C" {
#endif

// A stream that runs from the beginning of an execution, or from when another activates it.
#define ACL_MODEL_STREAM_FLAG_HEAD 0x00000000U
#define ACL_MODEL_STREAM_FLAG_DEFAULT 0x7FFFFFFFU

// Begins a model. Tasks of the streams that are bound to it are not run but become its own. Every
// execution begins with the streams bound as HEAD and is over when no stream has anything left to
// do. Executing it fails with 507011 before aclmdlRIBuildEnd, and in the stream if none of its
// streams got to aclmdlRIEndTask.
//
// Streams may go in circles, by labels or by activating each other: aclmdlRIAbort, an abort of the
// executing stream and a reset of its device end that. Events that bound streams record, wait for
// and reset are the model's own during an execution, and not recorded when it begins; nobody else
// sees them. Those made with ACL_EVENT_EXTERNAL, notifies and aclrtValueWait reach beyond it. As in
// graphs the client keeps memory alive, that of the host included.
//   107000  flag is not 0
ACL_FUNC_VISIBILITY aclError aclmdlRIBuildBegin(aclmdlRI* modelRI, uint32_t flag);

// stream was made with ACL_STREAM_PERSISTENT.
//   107000  it was not, the flag is none of the above, the model was captured or is complete
//   107003  the stream belongs to another context than the model
//   107005  the stream is bound already
//   107027  the stream is being captured
ACL_FUNC_VISIBILITY aclError aclmdlRIBindStream(aclmdlRI modelRI, aclrtStream stream,
                                                uint32_t flag);

// The stream takes tasks of its own again. Before aclmdlRIBuildEnd its tasks leave the model;
// afterwards the model cannot be executed again (107005), though what is enqueued still runs.
//   107005  the stream is not bound to this model
ACL_FUNC_VISIBILITY aclError aclmdlRIUnbindStream(aclmdlRI modelRI, aclrtStream stream);

// The end of the model, on one of its streams.
//   107005  the stream is not bound to this model
//   507000  the model has an end already
ACL_FUNC_VISIBILITY aclError aclmdlRIEndTask(aclmdlRI modelRI, aclrtStream stream);

// The model is complete: its streams take no more tasks (107005) until they are unbound. reserve is
// null.
//   107000  reserve is not null, the model was captured or is complete already
//   107024  a stream waits for an event that none of the streams records
//   507000  no aclmdlRIEndTask
ACL_FUNC_VISIBILITY aclError aclmdlRIBuildEnd(aclmdlRI modelRI, void* reserve);

// Ends the execution in progress, if there is one, and waits for its end, unless the model calls
// the client's functions. The executing stream reports 507023 and goes on with its next task.
//   207000  the graph was captured
ACL_FUNC_VISIBILITY aclError aclmdlRIAbort(aclmdlRI modelRI);

// When `stream` gets there, activeStream runs from its first task on, beside it. One that runs
// already does so again afterwards. 107005: they are not bound to one model.
ACL_FUNC_VISIBILITY aclError aclrtActiveStream(aclrtStream activeStream, aclrtStream stream);

typedef enum {
  ACL_RT_EQUAL = 0,
  ACL_RT_NOT_EQUAL,
  ACL_RT_GREATER,
  ACL_RT_GREATER_OR_EQUAL,
  ACL_RT_LESS,
  ACL_RT_LESS_OR_EQUAL
} aclrtCondition;

typedef enum { ACL_RT_SWITCH_INT32 = 0, ACL_RT_SWITCH_INT64 = 1 } aclrtCompareDataType;

// If *leftValue cond *rightValue, both in device memory, trueStream runs in place of the rest of
// `stream`, which otherwise goes on. falseStream is null.
//   107000  cond or dataType out of range, memory that is not the device's
//   107005  the streams are not bound to one model
ACL_FUNC_VISIBILITY aclError aclrtSwitchStream(void* leftValue, aclrtCondition cond,
                                               void* rightValue, aclrtCompareDataType dataType,
                                               aclrtStream trueStream, aclrtStream falseStream,
                                               aclrtStream stream);

// At most 65,535 labels (507000).
ACL_FUNC_VISIBILITY aclError aclrtCreateLabel(aclrtLabel* label);
ACL_FUNC_VISIBILITY aclError aclrtDestroyLabel(aclrtLabel label);

// The label stands for the place after the stream's last task so far.
//   107005  the stream is not bound to a model
//   507000  the label is set already or in no list
//   507031  it belongs to another context
ACL_FUNC_VISIBILITY aclError aclrtSetLabel(aclrtLabel label, aclrtStream stream);

// 107000: num is 0 or above 65,535; 507000: a label is in a list already.
ACL_FUNC_VISIBILITY aclError aclrtCreateLabelList(aclrtLabel* labels, size_t num,
                                                  aclrtLabelList* labelList);
ACL_FUNC_VISIBILITY aclError aclrtDestroyLabelList(aclrtLabelList labelList);

// The stream of the label that the 32 bits at ptr (device memory) name when the task runs goes on
// from there, and `stream` ends, unless it is the same. Beyond maxValue, the number of labels, it
// is the last one. 507011, in the execution: the label is not set in this model.
//   107000  maxValue is 0 or more than the list has, ptr is not device memory
//   107005  the stream is not bound to a model
ACL_FUNC_VISIBILITY aclError aclrtSwitchLabelByIndex(void* ptr, uint32_t maxValue,
                                                     aclrtLabelList labelList, aclrtStream stream);

typedef void* aclmdlRICondHandle;

typedef enum { ACL_MODEL_RI_COND_HANDLE_ASSIGN_DEFAULT = 1 } aclmdlRICondHandleFlag;

typedef enum {
  ACL_MODEL_RI_COND_TYPE_IF = 0,
  ACL_MODEL_RI_COND_TYPE_WHILE = 1,
  ACL_MODEL_RI_COND_TYPE_SWITCH = 2
} aclmdlRICondTaskType;

typedef struct tagAclmdlRICondTaskParams {
  aclmdlRICondHandle handle;
  aclmdlRICondTaskType type;
  uint32_t size;           // IF: 1 or 2, WHILE: 1, SWITCH: at least 1
  aclmdlRI* modelRIArray;  // receives that many graphs
} aclmdlRICondTaskParams;

// A condition of a graph that is being captured: 64 bits of device memory, 0 at first. With
// ASSIGN_DEFAULT every execution of the graph begins with defaultLaunchValue; flag 0 leaves what is
// there. Handle and memory live as long as the graph.
//   107000  the graph is not being captured, or flag is neither
//   207000  the model is built by hand
ACL_FUNC_VISIBILITY aclError aclmdlRICondHandleCreate(aclmdlRI modelRI, uint32_t defaultLaunchValue,
                                                      aclmdlRICondHandleFlag flag,
                                                      aclmdlRICondHandle* handle);
ACL_FUNC_VISIBILITY aclError aclmdlRICondHandleGetCondPtr(aclmdlRICondHandle handle,
                                                          uint64_t** ptr);

// A task of the captured stream that runs graphs which are yet to be captured: IF the first one
// where the condition is not 0, otherwise the second if there is one; WHILE the only one as long as
// the condition is not 0; SWITCH the one that the condition numbers, or none. They belong to this
// graph: neither executed nor destroyed by themselves (207000). flags is 0.
//   107000  a wrong type, size or flags, the condition is used already or of another graph
//   107029  the stream is not being captured
ACL_FUNC_VISIBILITY aclError aclmdlRIAddCondTask(aclmdlRICondTaskParams params, aclrtStream stream,
                                                 uint32_t flags);

// As aclmdlRICaptureBegin, into a graph of aclmdlRIAddCondTask; aclmdlRICaptureEnd ends it. An
// execution that gets to a graph not captured yet fails with 507011.
//   107026  the graph is captured already, or is not one of aclmdlRIAddCondTask
ACL_FUNC_VISIBILITY aclError aclmdlRICaptureToModelRIBegin(aclrtStream stream, aclmdlRI modelRI,
                                                           aclmdlRICaptureMode mode);

// func(userData) is called when the graph or model is destroyed, not when it ends with its device
// or context. Unregister: once for each registration (107000: there is none).
ACL_FUNC_VISIBILITY aclError aclmdlRIDestroyRegisterCallback(aclmdlRI modelRI, aclrtCallback func,
                                                             void* userData);
ACL_FUNC_VISIBILITY aclError aclmdlRIDestroyUnregisterCallback(aclmdlRI modelRI,
                                                               aclrtCallback func);

#ifdef __cplusplus
}
#endif

#endif  // ANYACL_ACL_ACL_RT_MODEL_H_
