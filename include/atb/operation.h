// SPDX-License-Identifier: Apache-2.0
// Operations: made once from their parameters, then set up and run for tensors.
#ifndef ANYACL_ATB_OPERATION_H_
#define ANYACL_ATB_OPERATION_H_

#include <cstdint>
#include <string>

#include "atb/context.h"
#include "atb/svector.h"
#include "atb/types.h"

namespace atb {

// One thread uses an operation at a time.
class Operation {
 public:
  Operation() = default;
  virtual ~Operation() = default;

  virtual std::string GetName() const = 0;
  virtual Status InferShape(const SVector<TensorDesc>& inTensorDescs,
                            SVector<TensorDesc>& outTensorDescs) const = 0;
  virtual uint32_t GetInputNum() const = 0;
  virtual uint32_t GetOutputNum() const = 0;
  // Checks the tensors, reads lengths from host memory and tells the bytes of workspace.
  virtual Status Setup(const VariantPack& variantPack, uint64_t& workspaceSize,
                       Context* context) = 0;
  // Enqueues what the last Setup prepared, on the context's stream, any number of times. Tensors
  // may lie elsewhere than they did then; their sizes are those of Setup.
  virtual Status Execute(const VariantPack& variantPack, uint8_t* workspace, uint64_t workspaceSize,
                         Context* context) = 0;
};

// Of the parameters in atb/infer_op_params.h. ERROR_INVALID_PARAM, and null in *operation, for
// values that are not offered.
template <typename OpParam>
ACL_FUNC_VISIBILITY Status CreateOperation(const OpParam& opParam, Operation** operation);
ACL_FUNC_VISIBILITY Status DestroyOperation(Operation* operation);

}  // namespace atb

#endif  // ANYACL_ATB_OPERATION_H_
