// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "op_api_ut_common/op_api_ut.h"
