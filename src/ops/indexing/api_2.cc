// SPDX-License-Identifier: Apache-2.0
// Made from the operators' declarations by the target update_operator_files.
