# SPDX-License-Identifier: Apache-2.0
"""The models that models.py makes: of each family of transformers one that is small."""

TEXT = {"vocab_size": 120, "pad_token_id": 0, "bos_token_id": 1, "eos_token_id": 2}
LLAMA = dict(TEXT, hidden_size=64, intermediate_size=96, num_hidden_layers=2,
             num_attention_heads=4, num_key_value_heads=2, max_position_embeddings=64, head_dim=16)
MOE = dict(LLAMA, num_experts=4, num_local_experts=4, num_experts_per_tok=2,
           moe_intermediate_size=48, decoder_sparse_step=1)
BERT = dict(TEXT, hidden_size=64, intermediate_size=96, num_hidden_layers=2,
            num_attention_heads=4, max_position_embeddings=64)
GPT = dict(TEXT, n_embd=64, n_layer=2, n_head=4, n_positions=64, hidden_size=64,
           num_hidden_layers=2, num_attention_heads=4)
BART = dict(TEXT, d_model=64, encoder_layers=2, decoder_layers=2, encoder_attention_heads=4,
            decoder_attention_heads=4, encoder_ffn_dim=96, decoder_ffn_dim=96,
            max_position_embeddings=64, decoder_start_token_id=1, forced_eos_token_id=None)
IMAGE = dict(hidden_size=64, intermediate_size=96, num_hidden_layers=2, num_attention_heads=4,
             image_size=32, patch_size=8, num_labels=5)

# name -> (head, configuration)
MODELS = {
    "llama": ("CausalLM", LLAMA),
    "qwen2": ("CausalLM", LLAMA),
    "qwen3": ("CausalLM", LLAMA),
    "mistral": ("CausalLM", LLAMA),
    "gemma": ("CausalLM", LLAMA),
    "gemma2": ("CausalLM", dict(LLAMA, sliding_window=8, query_pre_attn_scalar=16)),
    "phi3": ("CausalLM", LLAMA),
    "olmo2": ("CausalLM", LLAMA),
    "granite": ("CausalLM", LLAMA),
    "mixtral": ("CausalLM", MOE),
    "qwen2_moe": ("CausalLM", dict(MOE, shared_expert_intermediate_size=48)),
    "qwen3_moe": ("CausalLM", MOE),
    "deepseek_v3": ("CausalLM", dict(
        LLAMA, num_key_value_heads=4, moe_intermediate_size=32, n_routed_experts=4, n_group=2,
        topk_group=1, num_experts_per_tok=2, first_k_dense_replace=1, kv_lora_rank=16,
        q_lora_rank=24, qk_rope_head_dim=8, qk_nope_head_dim=8, v_head_dim=16, head_dim=8)),
    "gpt2": ("CausalLM", GPT),
    "gpt_neox": ("CausalLM", dict(BERT)),
    "opt": ("CausalLM", dict(TEXT, hidden_size=64, ffn_dim=96, num_hidden_layers=2,
                             num_attention_heads=4, max_position_embeddings=64,
                             word_embed_proj_dim=64)),
    "falcon": ("CausalLM", dict(GPT, alibi=False)),
    "bloom": ("CausalLM", dict(TEXT, hidden_size=64, n_layer=2, n_head=4)),
    "bert": ("MaskedLM", BERT),
    "roberta": ("MaskedLM", dict(BERT, max_position_embeddings=80)),
    "distilbert": ("MaskedLM", dict(TEXT, dim=64, hidden_dim=96, n_layers=2, n_heads=4,
                                    max_position_embeddings=64)),
    "electra": ("SequenceClassification", dict(BERT, embedding_size=32)),
    "deberta-v2": ("SequenceClassification", BERT),
    "albert": ("MaskedLM", dict(BERT, embedding_size=32)),
    "t5": ("Seq2SeqLM", dict(TEXT, d_model=64, d_kv=16, d_ff=96, num_layers=2, num_heads=4,
                             decoder_start_token_id=0)),
    "bart": ("Seq2SeqLM", BART),
    "marian": ("Seq2SeqLM", dict(BART, decoder_vocab_size=120)),
    "whisper": ("SpeechSeq2Seq", dict(BART, num_mel_bins=16, max_source_positions=20,
                                      max_target_positions=32, suppress_tokens=None,
                                      begin_suppress_tokens=None)),
    "vit": ("ImageClassification", IMAGE),
    # Its configuration has two classes, of which the automatic choice wants to be told one.
    "deit": ("ImageClassification", dict(IMAGE, architectures=["DeiTForImageClassification"])),
    "swin": ("ImageClassification", dict(image_size=32, patch_size=4, embed_dim=16, depths=[1, 1],
                                         num_heads=[2, 2], window_size=4, num_labels=5)),
    "convnext": ("ImageClassification", dict(image_size=32, hidden_sizes=[16, 32, 32, 32],
                                             depths=[1, 1, 1, 1], num_labels=5)),
    "resnet": ("ImageClassification", dict(embedding_size=16, hidden_sizes=[16, 32],
                                           depths=[1, 1], num_labels=5)),
    "phi": ("CausalLM", dict(LLAMA, num_key_value_heads=4)),
    "cohere": ("CausalLM", LLAMA),
    "cohere2": ("CausalLM", dict(LLAMA, sliding_window=8)),
    "glm": ("CausalLM", LLAMA),
    "glm4": ("CausalLM", LLAMA),
    "starcoder2": ("CausalLM", LLAMA),
    "stablelm": ("CausalLM", LLAMA),
    "olmo": ("CausalLM", LLAMA),
    "olmoe": ("CausalLM", MOE),
    "nemotron": ("CausalLM", LLAMA),
    "persimmon": ("CausalLM", dict(LLAMA, num_key_value_heads=4)),
    "gptj": ("CausalLM", dict(GPT, rotary_dim=8)),
    "gpt_neo": ("CausalLM", dict(
        TEXT, hidden_size=64, num_layers=2, num_heads=4, intermediate_size=96,
        attention_types=[[["global", "local"], 1]], window_size=8, max_position_embeddings=64)),
    "mpt": ("CausalLM", dict(TEXT, d_model=64, n_heads=4, n_layers=2, max_seq_len=64)),
    "mamba": ("CausalLM", dict(TEXT, hidden_size=64, num_hidden_layers=2, state_size=8)),
    "mamba2": ("CausalLM", dict(
        TEXT, hidden_size=64, num_hidden_layers=2, state_size=8, num_heads=8, head_dim=16,
        n_groups=2, chunk_size=8)),
    "falcon_mamba": ("CausalLM", dict(TEXT, hidden_size=64, num_hidden_layers=2, state_size=8)),
    "recurrent_gemma": ("CausalLM", dict(
        LLAMA, lru_width=64, attention_window_size=8, num_hidden_layers=3)),
    "jamba": ("CausalLM", dict(
        MOE, attn_layer_period=2, attn_layer_offset=1, expert_layer_period=2, expert_layer_offset=1,
        mamba_d_state=8, use_mamba_kernels=False)),
    "bamba": ("CausalLM", dict(
        LLAMA, attn_layer_indices=[1], mamba_n_heads=8, mamba_d_head=16, mamba_d_state=8,
        mamba_n_groups=1, mamba_chunk_size=8)),
    "zamba": ("CausalLM", dict(
        LLAMA, num_key_value_heads=4, attn_layer_period=2, attn_layer_offset=1, mamba_d_state=8,
        n_mamba_heads=2, use_mamba_kernels=False, num_hidden_layers=4)),
    "smollm3": ("CausalLM", LLAMA),
    "exaone4": ("CausalLM", LLAMA),
    "granitemoe": ("CausalLM", MOE),
    "gpt_oss": ("CausalLM", dict(MOE, sliding_window=8)),
    "llama4_text": ("CausalLM", dict(MOE, intermediate_size_mlp=96, attention_chunk_size=16)),
    "ernie4_5": ("CausalLM", LLAMA),
    "helium": ("CausalLM", LLAMA),
    "dots1": ("CausalLM", dict(
        MOE, n_routed_experts=4, n_shared_experts=1, n_group=1, topk_group=1,
        first_k_dense_replace=1)),
    "xglm": ("CausalLM", dict(
        TEXT, d_model=64, ffn_dim=96, num_layers=2, attention_heads=4, max_position_embeddings=64)),
    "openai-gpt": ("CausalLM", GPT),
    "ctrl": ("CausalLM", dict(GPT, dff=96)),
    "biogpt": ("CausalLM", BERT),
    "rwkv": ("CausalLM", dict(
        TEXT, hidden_size=64, num_hidden_layers=2, attention_hidden_size=64, context_length=64)),
    "bitnet": ("CausalLM", LLAMA),
    "jetmoe": ("CausalLM", dict(MOE, kv_channels=16)),
    "gemma3_text": ("CausalLM", dict(LLAMA, sliding_window=8, query_pre_attn_scalar=16)),
    "deepseek_v2": ("CausalLM", dict(
        LLAMA, num_key_value_heads=4, moe_intermediate_size=32, n_routed_experts=4, n_group=2,
        topk_group=1, num_experts_per_tok=2, first_k_dense_replace=1, kv_lora_rank=16,
        q_lora_rank=24, qk_rope_head_dim=8, qk_nope_head_dim=8, v_head_dim=16, head_dim=8)),
    "arcee": ("CausalLM", LLAMA),
    "lfm2": ("CausalLM", LLAMA),
    "doge": ("CausalLM", LLAMA),
    "mega": ("MaskedLM", BERT),
    "fuyu": ("CausalLM", LLAMA),
    "camembert": ("MaskedLM", dict(BERT, max_position_embeddings=80)),
    "xlm-roberta": ("MaskedLM", dict(BERT, max_position_embeddings=80)),
    "mpnet": ("MaskedLM", BERT),
    "squeezebert": ("MaskedLM", dict(
        BERT, embedding_size=64, q_groups=2, k_groups=2, v_groups=2, post_attention_groups=1,
        intermediate_groups=2, output_groups=2)),
    "longformer": ("MaskedLM", dict(BERT, attention_window=4, max_position_embeddings=80)),
    "big_bird": ("MaskedLM", dict(BERT, attention_type="original_full")),
    "nystromformer": ("MaskedLM", dict(BERT, segment_means_seq_len=12, num_landmarks=4)),
    "convbert": ("MaskedLM", dict(BERT, embedding_size=32)),
    "mobilebert": ("MaskedLM", dict(
        BERT, embedding_size=32, intra_bottleneck_size=32, true_hidden_size=32)),
    "rembert": ("MaskedLM", dict(BERT, input_embedding_size=32, output_embedding_size=48)),
    "layoutlm": ("MaskedLM", BERT),
    "esm": ("MaskedLM", dict(BERT, mask_token_id=3, max_position_embeddings=80)),
    "roformer": ("MaskedLM", dict(BERT, embedding_size=64)),
    "megatron-bert": ("MaskedLM", BERT),
    "ibert": ("MaskedLM", dict(BERT, max_position_embeddings=80)),
    "xlm": ("MaskedLM", dict(TEXT, emb_dim=64, n_layers=2, n_heads=4, max_position_embeddings=64)),
    "xlnet": ("SequenceClassification", dict(TEXT, d_model=64, n_layer=2, n_head=4, d_inner=96)),
    "canine": ("SequenceClassification", dict(
        BERT, num_hash_buckets=100, downsampling_rate=2, local_transformer_stride=4)),
    "luke": ("MaskedLM", dict(
        BERT, entity_vocab_size=20, entity_emb_size=16, max_position_embeddings=80)),
    "data2vec-text": ("MaskedLM", dict(BERT, max_position_embeddings=80)),
    "ernie": ("MaskedLM", BERT),
    "nezha": ("MaskedLM", BERT),
    "tapas": ("SequenceClassification", BERT),
    "yoso": ("MaskedLM", BERT),
    "mra": ("MaskedLM", BERT),
    "mbart": ("Seq2SeqLM", BART),
    "pegasus": ("Seq2SeqLM", BART),
    "blenderbot": ("Seq2SeqLM", BART),
    "led": ("Seq2SeqLM", dict(
        BART, attention_window=4, max_encoder_position_embeddings=64,
        max_decoder_position_embeddings=64)),
    "prophetnet": ("Seq2SeqLM", dict(
        TEXT, hidden_size=64, encoder_ffn_dim=96, decoder_ffn_dim=96, num_encoder_layers=2,
        num_decoder_layers=2, num_encoder_attention_heads=4, num_decoder_attention_heads=4,
        decoder_start_token_id=1, ngram=2)),
    "mt5": ("Seq2SeqLM", dict(
        TEXT, d_model=64, d_kv=16, d_ff=96, num_layers=2, num_heads=4, decoder_start_token_id=0)),
    "plbart": ("Seq2SeqLM", BART),
    "umt5": ("Seq2SeqLM", dict(
        TEXT, d_model=64, d_kv=16, d_ff=96, num_layers=2, num_heads=4, decoder_start_token_id=0)),
    "bigbird_pegasus": ("Seq2SeqLM", dict(BART, attention_type="original_full")),
    "speech_to_text": ("SpeechSeq2Seq", dict(
        BART, input_feat_per_channel=40, conv_channels=32, max_source_positions=40,
        max_target_positions=40, num_conv_layers=2)),
    "beit": ("ImageClassification", IMAGE),
    "dinov2": ("ImageClassification", IMAGE),
    "dinov2_with_registers": ("ImageClassification", IMAGE),
    "ijepa": ("ImageClassification", IMAGE),
    "swinv2": ("ImageClassification", dict(
        image_size=32, patch_size=4, embed_dim=16, depths=[1, 1], num_heads=[2, 2], window_size=4,
        num_labels=5)),
    "convnextv2": ("ImageClassification", dict(
        image_size=32, hidden_sizes=[16, 32, 32, 32], depths=[1, 1, 1, 1], num_labels=5)),
    "poolformer": ("ImageClassification", dict(
        hidden_sizes=[16, 16, 32, 32], depths=[1, 1, 1, 1], num_labels=5)),
    "mobilevit": ("ImageClassification", dict(
        image_size=64, hidden_sizes=[16, 24, 32], neck_hidden_sizes=[8, 8, 16, 16, 24, 32, 64],
        num_labels=5)),
    "mobilevitv2": ("ImageClassification", dict(
        image_size=64, num_labels=5, width_multiplier=0.25)),
    "mobilenet_v1": ("ImageClassification", dict(
        image_size=64, depth_multiplier=0.25, num_labels=5)),
    "pvt": ("ImageClassification", dict(
        image_size=64, hidden_sizes=[16, 16, 32, 32], depths=[1, 1, 1, 1], num_attention_heads=[1,
        1, 2, 2], num_labels=5)),
    "pvt_v2": ("ImageClassification", dict(
        image_size=64, hidden_sizes=[16, 16, 32, 32], depths=[1, 1, 1, 1], num_attention_heads=[1,
        1, 2, 2], num_labels=5)),
    "focalnet": ("ImageClassification", dict(
        image_size=32, embed_dim=16, depths=[1, 1], focal_levels=[2, 2], focal_windows=[3, 3],
        num_labels=5, hidden_sizes=[16, 32])),
    "bit": ("ImageClassification", dict(
        embedding_size=16, hidden_sizes=[16, 32], depths=[1, 1], num_labels=5, num_groups=4)),
    "van": ("ImageClassification", dict(
        hidden_sizes=[16, 16, 32, 32], depths=[1, 1, 1, 1], num_labels=5)),
    "clip": ("ImageClassification", dict(
        vision_config=dict(hidden_size=64, intermediate_size=96, num_hidden_layers=2,
        num_attention_heads=4, image_size=32, patch_size=8), num_labels=5)),
    "vit_msn": ("ImageClassification", IMAGE),
    "swiftformer": ("ImageClassification", dict(
        image_size=64, embed_dims=[16, 16, 32, 32], depths=[1, 1, 1, 1], num_labels=5)),
    "donut-swin": ("ImageClassification", dict(
        image_size=32, patch_size=4, embed_dim=16, depths=[1, 1], num_heads=[2, 2], window_size=4,
        num_labels=5)),
}
