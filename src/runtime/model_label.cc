// SPDX-License-Identifier: Apache-2.0
// Labels: places in the streams of a model built by hand.
#include <algorithm>

#include "runtime/device.h"
#include "runtime/model_build.h"
#include "runtime/model_recorder.h"

namespace anyacl {
namespace {

constexpr size_t kMaxLabels = 65535;

LabelTable& Labels() {
  static LabelTable* table = LabelTable::NewGlobal();
  return *table;
}
LabelListTable& LabelLists() {
  static LabelListTable* table = LabelListTable::NewGlobal();
  return *table;
}

[[maybe_unused]] const bool kModelLabelMadeAtLoad = (Labels(), LabelLists(), true);

template <class Table, class Object>
Status FindIn(const Table& table, const void* handle, const char* what,
              std::shared_ptr<Object>* object) {
  *object = table.Find(handle);
  if (*object != nullptr) return {};
  return Fail(ACL_ERROR_RT_INVALID_HANDLE, "{} {} is not alive (destroyed, or never made here)",
              what, handle);
}

}  // namespace

Status CreateLabel(aclrtLabel* label) {
  CurrentContext current;
  if (Status s = GetCurrentContext(&current); !s.ok()) return s;
  if (Labels().Count() >= kMaxLabels) {
    return Fail(ACL_ERROR_RT_INTERNAL_ERROR, "{} labels are alive, which is the most there may be",
                kMaxLabels);
  }
  *label = Labels().Add(std::make_shared<Label>(current.handle));
  return {};
}

Status DestroyLabel(aclrtLabel handle) {
  std::shared_ptr<Label> label;
  if (Status s = FindIn(Labels(), handle, "label", &label); !s.ok()) return s;
  Labels().Remove(handle);
  return {};
}

Status SetLabel(aclrtLabel handle, const Stream& stream) {
  std::shared_ptr<Label> label;
  if (Status s = FindIn(Labels(), handle, "label", &label); !s.ok()) return s;
  Models& models = AllModels();
  std::lock_guard lock(models.mutex);
  if (label->context != stream.context()) {
    return Fail(ACL_ERROR_RT_LABEL_CONTEXT, "label {} belongs to another context than stream {}",
                handle, stream.id());
  }
  std::shared_ptr<Model> model;
  if (Status s = FindBound(models, stream, &model); !s.ok()) return s;
  if (label->set || !label->listed) {
    return Fail(ACL_ERROR_RT_INTERNAL_ERROR, "label {} is {}", handle,
                label->set ? "set already" : "in no list, expected aclrtCreateLabelList before");
  }
  const uint32_t lane = model->LaneOf(stream);
  const auto place = static_cast<uint32_t>(model->lanes[lane].nodes.size());
  // A node of its own, so that a complete model refuses it and dumps show it.
  const auto pass = [](GraphStep*) -> Status { return {}; };
  if (Status s = model->AddJump(stream, "aclrtSetLabel", pass); !s.ok()) return s;
  label->set = true;
  label->model = model->graph;
  label->place = {lane, place};
  return {};
}

Status CreateLabelList(const aclrtLabel* labels, size_t count, aclrtLabelList* handle) {
  if (count == 0 || count > kMaxLabels) {
    return Fail(ACL_ERROR_RT_PARAM_INVALID, "num is {}, expected 1..{}", count, kMaxLabels);
  }
  auto list = std::make_shared<LabelList>();
  Models& models = AllModels();
  std::lock_guard lock(models.mutex);
  for (size_t i = 0; i < count; ++i) {
    std::shared_ptr<Label> label;
    if (Status s = FindIn(Labels(), labels[i], "label", &label); !s.ok()) return s;
    if (label->listed ||
        std::find(list->labels.begin(), list->labels.end(), label) != list->labels.end()) {
      return Fail(ACL_ERROR_RT_INTERNAL_ERROR, "labels[{}] is in a list already", i);
    }
    list->labels.push_back(std::move(label));
  }
  for (const auto& label : list->labels) label->listed = true;
  *handle = LabelLists().Add(std::move(list));
  return {};
}

Status DestroyLabelList(aclrtLabelList handle) {
  std::shared_ptr<LabelList> list;
  if (Status s = FindIn(LabelLists(), handle, "labelList", &list); !s.ok()) return s;
  LabelLists().Remove(handle);
  return {};
}

Status AddLabelSwitch(const void* index, uint32_t count, aclrtLabelList handle,
                      const Stream& stream) {
  std::shared_ptr<LabelList> list;
  if (Status s = FindIn(LabelLists(), handle, "labelList", &list); !s.ok()) return s;
  if (count == 0 || count > list->labels.size()) {
    return Fail(ACL_ERROR_RT_PARAM_INVALID,
                "maxValue is {}, expected 1..{}, the labels of the list", count,
                list->labels.size());
  }
  Models& models = AllModels();
  std::lock_guard lock(models.mutex);
  std::shared_ptr<Model> model;
  if (Status s = FindBound(models, stream, &model); !s.ok()) return s;
  const auto places = std::make_shared<Places>();
  const auto go = [index, places](GraphStep* step) -> Status {
    const uint32_t value = __atomic_load_n(static_cast<const uint32_t*>(index), __ATOMIC_ACQUIRE);
    const size_t last = places->size() - 1;
    step->start = (*places)[std::min<size_t>(value, last)];
    step->leaves = true;
    if (step->start) return {};
    return Fail(ACL_ERROR_RT_MODEL_EXECUTE, "label {} of {} is not set in this model", value,
                places->size());
  };
  if (Status s = model->AddJump(stream, "aclrtSwitchLabelByIndex", go); !s.ok()) return s;
  model->switches.push_back({{list->labels.begin(), list->labels.begin() + count}, places});
  return {};
}

}  // namespace anyacl
