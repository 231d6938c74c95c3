# SPDX-License-Identifier: Apache-2.0
# Convolutions, the pooling and resampling of images and what detectors compute, in one program.

anyacl_add_test(image_test
  SOURCES average_pool_test.cc conv_depthwise_test.cc conv_tbc_test.cc convolution_test.cc quant_convolution_test.cc
    deformable_test.cc detection_test.cc grid_sample_test.cc grid_sample_volume_test.cc
    max_pool_test.cc max_unpool_test.cc resampling_test.cc
  TIERS ${ANYACL_ISA_TIERS} ${ANYACL_MATRIX_TIER}
  LABELS ops)

# Neither the number of threads nor the tier may show in any bit.
anyacl_add_test(image_threads_test
  SOURCES convolution_threads_test.cc image_threads_test.cc
  ENV ANYACL_THREADS=1
  LABELS ops)
foreach(threads 2 7)
  foreach(tier IN LISTS ANYACL_ISA_TIERS)
    anyacl_add_test_run(image_threads_test_${threads}_${tier} image_threads_test
      TIER ${tier}
      ENV ANYACL_THREADS=${threads}
      LABELS ops)
  endforeach()
endforeach()
