# SPDX-License-Identifier: Apache-2.0
"""Models of timm that libraries.py judges: of each of its architectures a small one, and the size
of the images that it takes, which for many is any."""

TIMM = {
    "halonet26t": 256, "gernet_s": 96, "cait_xxs24_224": 224, "coat_tiny": 224, "convit_tiny": 224,
    "convmixer_768_32": 96, "convnext_pico": 96, "crossvit_tiny_240": 240,
    "cs3darknet_s": 96, "davit_tiny": 96, "deit_tiny_patch16_224": 224,
    "densenet121": 96, "dla34": 96, "dpn68": 96, "edgenext_small": 96, "tinynet_a": 96,
    "efficientformer_l1": 224, "efficientformerv2_s0": 224, "efficientvit_b0": 96,
    "efficientvit_m0": 224, "eva02_tiny_patch14_224": 224, "fasternet_s": 96, "fastvit_s12": 96,
    "focalnet_tiny_lrf": 96, "gcvit_tiny": 224, "ghostnet_050": 96, "gmlp_s16_224": 224,
    "hardcorenas_a": 96, "hgnet_tiny": 96, "hiera_tiny_224": 224, "hrnet_w18_small": 96,
    "inception_next_atto": 96, "inception_v3": 96, "levit_128s": 224, "mambaout_femto": 96,
    "maxvit_pico_rw_256": 256, "caformer_s18": 96, "tf_mobilenetv3_large_minimal_100": 96,
    "mobilevit_xxs": 96, "mvitv2_tiny": 224, "nest_tiny": 224, "nf_seresnet26": 96,
    "pit_xs_224": 224, "pvt_v2_b0": 96, "rdnet_tiny": 96, "regnety_040_sgn": 96,
    "repghostnet_050": 96, "repvit_m1": 96, "res2net50d": 96, "resnest14d": 96, "resnet18": 96,
    "resnetv2_18": 96, "rexnet_100": 96, "selecsls42": 96, "sequencer2d_s": 224,
    "shvit_s1": 96, "skresnet18": 96, "starnet_s1": 96, "swiftformer_xs": 224,
    "swin_s3_tiny_224": 224, "swinv2_tiny_window8_256": 256, "swinv2_cr_tiny_224": 224,
    "tiny_vit_5m_224": 224, "tnt_s_patch16_224": 224, "twins_svt_small": 224,
    "visformer_tiny": 224, "vit_tiny_patch16_224": 224, "vit_tiny_r_s16_p8_224": 224,
    "vit_relpos_small_patch16_224": 224, "vitamin_small_224": 224, "volo_d1_224": 224,
    "ese_vovnet19b_slim": 96, "legacy_xception": 96, "xception41": 96, "xcit_nano_12_p8_224": 224,
}
