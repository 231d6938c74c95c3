# SPDX-License-Identifier: Apache-2.0
# Operators of inference: positions of queries and keys, caches, quantised activations.
anyacl_add_test(inference_test
  SOURCES ada_layer_norm_test.cc advance_step_test.cc attention_update_test.cc deep_norm_test.cc
    gather_kv_cache_test.cc kv_cache_test.cc
    kv_slots_test.cc mla_prolog_refusal_test.cc mla_prolog_test.cc norm_dynamic_quant_test.cc
    layer_norm_quant_test.cc norm_quant_test.cc qkv_cache_test.cc quant_kv_cache_test.cc ring_attention_test.cc
    rms_norm_grad_quant_test.cc rms_norm_quant_test.cc rotary_heads_test.cc
    quant_scatter_test.cc slice_list_test.cc
    slice_update_test.cc swiglu_quant_test.cc top_k_top_p_sample_test.cc
    top_k_top_p_test.cc
  TIERS ${ANYACL_ISA_TIERS}
  LABELS ops
  THREADS 7 2
  STRICT)
