# SPDX-License-Identifier: Apache-2.0
# anyacl_add_value_asserts(TARGET): makes values_asserts.inc for TARGET, which includes it.
function(anyacl_add_value_asserts target)
  find_package(Python3 REQUIRED COMPONENTS Interpreter)
  set(table ${PROJECT_SOURCE_DIR}/abi/values.txt)
  set(script ${PROJECT_SOURCE_DIR}/tools/make_values_test.py)
  set(output ${CMAKE_CURRENT_BINARY_DIR}/values_asserts/values_asserts.inc)
  file(GLOB_RECURSE headers CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/include/*.h)
  file(MAKE_DIRECTORY ${CMAKE_CURRENT_BINARY_DIR}/values_asserts)
  add_custom_command(
    OUTPUT ${output}
    COMMAND ${Python3_EXECUTABLE} ${script} ${table} ${PROJECT_SOURCE_DIR}/include ${output}
    DEPENDS ${table} ${script} ${headers}
    VERBATIM)
  target_sources(${target} PRIVATE ${output})
  target_include_directories(${target} PRIVATE ${CMAKE_CURRENT_BINARY_DIR}/values_asserts)
endfunction()
