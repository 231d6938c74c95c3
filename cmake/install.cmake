# SPDX-License-Identifier: Apache-2.0
# `cmake --install build --prefix P` makes P a CANN prefix: the folders, library names and scripts
# that programs and build lines written for CANN expect. The folder is lib64 on every system, so
# CMAKE_INSTALL_LIBDIR has no say.

# A CANN prefix brings its own include/, opp/ and set_env.sh: not for /usr/local itself.
if(CMAKE_INSTALL_PREFIX_INITIALIZED_TO_DEFAULT)
  set(CMAKE_INSTALL_PREFIX /opt/anyacl CACHE PATH "Where to install" FORCE)
endif()

set(ANYACL_ARCH_DIR ${CMAKE_SYSTEM_PROCESSOR}-linux)

install(TARGETS ascendcl atb acl_op_compiler acl_tdt_channel acl_tdt_queue ascend_dump ascend_hal
  c_sec ge_runner graph hccl msprofiler nnopbase opapi
  EXPORT anyaclTargets LIBRARY DESTINATION lib64)
if(ANYACL_HCCL_UCX)
  install(TARGETS anyacl_hccl_ucx LIBRARY DESTINATION lib64)
endif()
install(TARGETS ms_tools_ext LIBRARY DESTINATION lib64)
install(DIRECTORY include/ DESTINATION include FILES_MATCHING PATTERN "*.h")

# Libraries of CANN that build lines name and that anyacl has nothing to put in.
set(ANYACL_STUB_LIBRARIES
  ascend_protobuf asdops fmk_parser hccl_fwk lcal)
foreach(name IN LISTS ANYACL_STUB_LIBRARIES)
  add_library(stub_${name} SHARED packaging/stub.c)
  set_target_properties(stub_${name} PROPERTIES
    OUTPUT_NAME ${name} LIBRARY_OUTPUT_DIRECTORY ${PROJECT_BINARY_DIR}/lib64)
  install(TARGETS stub_${name} LIBRARY DESTINATION lib64)
endforeach()

# Symbolic links are laid out here and installed as they are, so that DESTDIR and the install
# manifest know about them. They are relative: the prefix may be moved. A Python wheel (SKBUILD) has
# no links; it keeps a list of them, of which `python -m anyacl prefix` makes a prefix.
set(links ${PROJECT_BINARY_DIR}/prefix-links)
file(REMOVE_RECURSE ${links})
set(link_list ${PROJECT_BINARY_DIR}/links.txt)
file(WRITE ${link_list} "")
function(anyacl_link path target)
  if(SKBUILD)
    file(APPEND ${link_list} "${path} -> ${target}\n")
    return()
  endif()
  get_filename_component(folder ${links}/${path} DIRECTORY)
  file(MAKE_DIRECTORY ${folder})
  file(CREATE_LINK ${target} ${links}/${path} SYMBOLIC)
endfunction()

# The names under which CANN splits the runtime and the operators.
foreach(alias acl_rt acl_rt_impl profapi runtime)
  anyacl_link(lib64/lib${alias}.so libascendcl.so)
endforeach()
foreach(alias opapi_nn opapi_transformer opapi_math opapi_cv)
  anyacl_link(lib64/lib${alias}.so libopapi.so)
endforeach()
# Communicators have a library of their own since CANN 9. torch_npu opens it by its name, so in a
# wheel, which has no links, a library of that name needs the real one.
anyacl_link(lib64/libhcomm.so libhccl.so)
if(SKBUILD)
  add_library(hcomm_of_wheel SHARED packaging/stub.c)
  set_target_properties(hcomm_of_wheel PROPERTIES
    OUTPUT_NAME hcomm LIBRARY_OUTPUT_DIRECTORY ${PROJECT_BINARY_DIR}/lib64)
  target_link_libraries(hcomm_of_wheel PRIVATE hccl)
  target_link_options(hcomm_of_wheel PRIVATE LINKER:--no-as-needed)
  install(TARGETS hcomm_of_wheel LIBRARY DESTINATION lib64)
endif()

# devlib is where build systems look for libraries to link with on a machine without a driver.
foreach(name ascendcl atb acl_rt acl_rt_impl runtime profapi acl_op_compiler acl_tdt_channel
             acl_tdt_queue ascend_dump ascend_hal c_sec ge_runner graph hccl hcomm ms_tools_ext
             msprofiler nnopbase opapi opapi_nn opapi_transformer opapi_math opapi_cv
             ${ANYACL_STUB_LIBRARIES})
  anyacl_link(devlib/lib${name}.so ../lib64/lib${name}.so)
endforeach()
anyacl_link(devlib/linux/${CMAKE_SYSTEM_PROCESSOR} ../../lib64)

# ATB's own package has a folder for each ABI of C++ strings; libatb.so has GCC's since 5.
anyacl_link(atb/cxx_abi_1/include ../../include)
anyacl_link(atb/cxx_abi_1/lib ../../lib64)

foreach(folder include lib64 devlib tikcpp)
  anyacl_link(${ANYACL_ARCH_DIR}/${folder} ../${folder})
endforeach()
anyacl_link(bin/msprof ../tools/profiler/bin/msprof)
# Where older projects look for ascendc.cmake.
foreach(folder compiler tools)
  anyacl_link(${folder}/tikcpp ../tikcpp)
endforeach()
anyacl_link(opp/lib64 ../lib64)
foreach(folder runtime compiler)
  anyacl_link(${folder}/include ../include)
  anyacl_link(${folder}/lib64 ../lib64)
endforeach()
anyacl_link(opp/${ANYACL_ARCH_DIR}/include ../../include)
anyacl_link(opp/${ANYACL_ARCH_DIR}/lib64 ../../lib64)
# CMake looks for packages in lib64 on some systems only, in share on all.
anyacl_link(share/cmake/anyacl ../../lib64/cmake/anyacl)
anyacl_link(version.info share/info/toolkit/version.info)
anyacl_link(opp/version.info ../share/info/opp/version.info)
anyacl_link(${ANYACL_ARCH_DIR}/ascend_toolkit_install.info ../ascend_toolkit_install.info)
if(SKBUILD)
  install(FILES ${link_list} DESTINATION share/anyacl)
else()
  install(DIRECTORY ${links}/ DESTINATION .)
  install(DIRECTORY DESTINATION opp/vendors)
endif()

# The version of CANN where clients look for it: aclsysGetCANNVersion's default, read from its source
# so that there is one.
file(STRINGS src/runtime/settings.cc line REGEX "kCannVersion = \"")
string(REGEX REPLACE ".*\"(.*)\".*" "\\1" ANYACL_CANN_VERSION "${line}")
set(info ${PROJECT_BINARY_DIR}/version-info)
foreach(package bisheng-compiler compiler hccl oam-tools opp ops-legacy runtime toolkit)
  file(CONFIGURE OUTPUT ${info}/share/info/${package}/version.info
    CONTENT "Version=${ANYACL_CANN_VERSION}\n")
endforeach()
file(CONFIGURE OUTPUT ${info}/ascend_toolkit_install.info CONTENT
  "package_name=Ascend-cann-toolkit\nversion=${ANYACL_CANN_VERSION}\narch=${CMAKE_SYSTEM_PROCESSOR}\nos=linux\n")
install(DIRECTORY ${info}/ DESTINATION .)

if(SKBUILD)
  # torch_npu wants these folders, and a wheel has no empty ones.
  foreach(folder . opp runtime compiler)
    install(FILES ${info}/share/info/toolkit/version.info DESTINATION ${folder})
  endforeach()
  install(FILES python/anyacl.pth python/_anyacl_hook.py DESTINATION ${SKBUILD_PLATLIB_DIR})
else()
  install(DIRECTORY python/acl python/anyacl DESTINATION python/site-packages
    FILES_MATCHING PATTERN "*.py")
endif()

install(FILES packaging/set_env.sh DESTINATION .)
install(PROGRAMS packaging/npu-smi DESTINATION bin)
# Where torch_npu's profiler looks for both.
install(PROGRAMS packaging/msprof DESTINATION tools/profiler/bin)
install(FILES packaging/msprof.py DESTINATION tools/profiler/profiler_tool/analysis/msprof)
install(FILES packaging/setenv.bash DESTINATION bin)
install(FILES packaging/ascendc.cmake DESTINATION tikcpp/ascendc_kernel_cmake)
install(FILES LICENSE DESTINATION share/doc/anyacl)
install(FILES share/anyacl/operators.json share/anyacl/single_operators.json
  DESTINATION share/anyacl)

include(CMakePackageConfigHelpers)
set(package_dir lib64/cmake/anyacl)
install(EXPORT anyaclTargets NAMESPACE anyacl:: DESTINATION ${package_dir})
configure_package_config_file(packaging/anyaclConfig.cmake.in
  ${PROJECT_BINARY_DIR}/anyaclConfig.cmake INSTALL_DESTINATION ${package_dir}
  NO_SET_AND_CHECK_MACRO)
write_basic_package_version_file(${PROJECT_BINARY_DIR}/anyaclConfigVersion.cmake
  COMPATIBILITY SameMinorVersion)
configure_file(packaging/anyacl.pc.in ${PROJECT_BINARY_DIR}/anyacl.pc @ONLY)
install(FILES ${PROJECT_BINARY_DIR}/anyaclConfig.cmake
              ${PROJECT_BINARY_DIR}/anyaclConfigVersion.cmake DESTINATION ${package_dir})
install(FILES ${PROJECT_BINARY_DIR}/anyacl.pc DESTINATION lib64/pkgconfig)
