# SPDX-License-Identifier: Apache-2.0
# Stands where CANN keeps the file that builds device kernels written in Ascend C. Projects that include
# it and make no kernel library configure as they are; what would compile a kernel stops with a message.

if(NOT ASCEND_CANN_PACKAGE_PATH)
  get_filename_component(ASCEND_CANN_PACKAGE_PATH "${CMAKE_CURRENT_LIST_FILE}" REALPATH)
  get_filename_component(ASCEND_CANN_PACKAGE_PATH "${ASCEND_CANN_PACKAGE_PATH}/../../.." REALPATH)
endif()

function(anyacl_refuse_kernels function target)
  string(REPLACE ";" ", " sources "${ARGN}")
  message(FATAL_ERROR "${function}: anyacl runs no device kernels, so target \"${target}\" cannot be "
    "made; its sources: ${sources}. Configure the program without them, or with CANN.")
endfunction()

# ascendc_library(<target> STATIC|SHARED|OBJECT <source>...)
function(ascendc_library target type)
  anyacl_refuse_kernels(ascendc_library "${target}" ${ARGN})
endfunction()

# ascendc_fatbin_library(<target> <source>...)
function(ascendc_fatbin_library target)
  anyacl_refuse_kernels(ascendc_fatbin_library "${target}" ${ARGN})
endfunction()

# These add to a kernel library, so there is nothing to add to.
function(ascendc_compile_definitions target)
  anyacl_refuse_kernels(ascendc_compile_definitions "${target}" "none named")
endfunction()
function(ascendc_compile_options target)
  anyacl_refuse_kernels(ascendc_compile_options "${target}" "none named")
endfunction()
function(ascendc_include_directories target)
  anyacl_refuse_kernels(ascendc_include_directories "${target}" "none named")
endfunction()
