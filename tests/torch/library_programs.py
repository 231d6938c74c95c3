# SPDX-License-Identifier: Apache-2.0
"""Programs of libraries.py but for timm's: functions of the device, one library each, whose modules
are imported where they are used: names need none of them."""

import functools
import tempfile

import torch

from program_table import PROGRAMS, integers, numbers


def each(library, cases, tolerance=1e-3):
    """Adds a program for each name of a table: the function has the device and the name."""
    def add(function):
        for case in cases:
            PROGRAMS[f"{library} {case}"] = functools.partial(function, case=case), tolerance
        return function
    return add


def trained(model, *inputs, device):
    """The result, a tensor or something that has a `sample`, and all gradients as one row: that of
    a bias before a norm is 0 but for rounding, and so counts for nothing."""
    model = model.eval().to(device)
    result = model(*(x.to(device) for x in inputs))
    result = getattr(result, "sample", result)
    result.square().sum().backward()
    gradients = [p.grad.flatten() for p in model.parameters() if p.grad is not None]
    return result, torch.cat(gradients)


# ---- diffusers

UNET = dict(block_out_channels=(32, 64), layers_per_block=1, sample_size=16, in_channels=4,
            out_channels=4, down_block_types=("DownBlock2D", "CrossAttnDownBlock2D"),
            up_block_types=("CrossAttnUpBlock2D", "UpBlock2D"), attention_head_dim=8,
            cross_attention_dim=32, norm_num_groups=8)
VAE = dict(block_out_channels=[32, 64], down_block_types=["DownEncoderBlock2D"] * 2,
           up_block_types=["UpDecoderBlock2D"] * 2, latent_channels=4, norm_num_groups=8)
# The class, its settings, and inputs: sizes of numbers, "time" for a step of each of two images.
NETWORKS = {
    "unet": ("UNet2DConditionModel", UNET, ((2, 4, 16, 16), "time", (2, 7, 32))),
    "unet with attention": (
        "UNet2DModel", dict(sample_size=32, layers_per_block=1, block_out_channels=(32, 64),
                            norm_num_groups=8, down_block_types=("DownBlock2D", "AttnDownBlock2D"),
                            up_block_types=("AttnUpBlock2D", "UpBlock2D"), attention_head_dim=8),
        ((2, 3, 32, 32), "time")),
    "unet of videos": (
        "UNet3DConditionModel", dict(block_out_channels=(32, 64), norm_num_groups=4,
                                     layers_per_block=1,
                                     down_block_types=("CrossAttnDownBlock3D", "DownBlock3D"),
                                     up_block_types=("UpBlock3D", "CrossAttnUpBlock3D"),
                                     cross_attention_dim=32, attention_head_dim=4, sample_size=16),
        ((2, 4, 4, 16, 16), "time", (2, 4, 32))),
    "unet of sounds": (
        "UNet1DModel", dict(block_out_channels=(32, 64), extra_in_channels=16, sample_size=512,
                            flip_sin_to_cos=True, use_timestep_embedding=False,
                            time_embedding_type="fourier", mid_block_type="UNetMidBlock1D",
                            down_block_types=("DownBlock1DNoSkip", "AttnDownBlock1D"),
                            up_block_types=("AttnUpBlock1D", "UpBlock1DNoSkip")),
        ((2, 2, 512), "time")),
    "vae": ("AutoencoderKL", VAE, ((2, 3, 32, 32),)),
    "vae of videos": (
        "AutoencoderKLCogVideoX", dict(down_block_types=("CogVideoXDownBlock3D",) * 4,
                                       up_block_types=("CogVideoXUpBlock3D",) * 4,
                                       block_out_channels=(8, 8, 8, 8), latent_channels=4,
                                       layers_per_block=1, norm_num_groups=2),
        ((1, 3, 5, 16, 16),)),
    "vae of wan": (
        "AutoencoderKLWan", dict(base_dim=3, z_dim=16, dim_mult=[1, 1, 1, 1], num_res_blocks=1,
                                 temperal_downsample=[False, True, True]), ((1, 3, 5, 16, 16),)),
    "sd3": (
        "SD3Transformer2DModel", dict(sample_size=32, patch_size=1, in_channels=4, num_layers=2,
                                      attention_head_dim=8, num_attention_heads=4, out_channels=4,
                                      joint_attention_dim=32, caption_projection_dim=32,
                                      pooled_projection_dim=64),
        ((2, 4, 16, 16), (2, 7, 32), (2, 64), "time")),
    "wan": (
        "WanTransformer3DModel", dict(patch_size=(1, 2, 2), num_attention_heads=2, ffn_dim=32,
                                      attention_head_dim=12, in_channels=4, out_channels=4,
                                      text_dim=16, num_layers=2, cross_attn_norm=True,
                                      rope_max_seq_len=32),
        ((2, 4, 2, 8, 8), "time", (2, 6, 16))),
    "cogvideox": (
        "CogVideoXTransformer3DModel", dict(num_attention_heads=2, attention_head_dim=8,
                                            in_channels=4, out_channels=4, time_embed_dim=2,
                                            text_embed_dim=8,
                                            num_layers=2, sample_width=8, sample_height=8,
                                            sample_frames=8, max_text_seq_length=8),
        ((2, 2, 4, 8, 8), (2, 8, 8), "time")),
}


@each("diffusers", NETWORKS)
def network(device, case):
    import diffusers
    name, settings, inputs = NETWORKS[case]
    model = getattr(diffusers, name)(**settings)
    with_one_geglu(device)
    times = torch.tensor([3, 5])
    return trained(model, *(times if x == "time" else numbers("cpu", *x) for x in inputs),
                   device=device)


def with_one_geglu(device):
    """diffusers calls torch_npu's function wherever torch_npu is, also for tensors on the CPU."""
    from diffusers.models import activations
    activations.is_torch_npu_available = lambda: device.type == "npu"


SCHEDULERS = ("DDIM", "PNDM", "LMSDiscrete", "EulerDiscrete", "EulerAncestralDiscrete",
              "DPMSolverMultistep", "UniPCMultistep", "HeunDiscrete", "DDPM", "KDPM2Discrete",
              "DEISMultistep")


@each("diffusers images by", SCHEDULERS)
def images(device, case):
    import diffusers
    from transformers import CLIPTextConfig, CLIPTextModel
    text = CLIPTextConfig(bos_token_id=0, eos_token_id=2, hidden_size=32, intermediate_size=37,
                          num_attention_heads=4, num_hidden_layers=2, pad_token_id=1, vocab_size=99)
    scheduler = getattr(diffusers, case + "Scheduler")(
        beta_start=0.00085, beta_end=0.012, beta_schedule="scaled_linear")
    pipeline = diffusers.StableDiffusionPipeline(
        unet=diffusers.UNet2DConditionModel(**UNET), scheduler=scheduler, tokenizer=None,
        vae=diffusers.AutoencoderKL(**VAE), text_encoder=CLIPTextModel(text), safety_checker=None,
        feature_extractor=None, requires_safety_checker=False).to(device)
    with_one_geglu(device)
    pipeline.set_progress_bar_config(disable=True)
    words, no_words = numbers(device, 1, 7, 32), numbers(device, 1, 7, 32)
    return pipeline(prompt_embeds=words, negative_prompt_embeds=no_words, num_inference_steps=4,
                    generator=torch.Generator().manual_seed(3), output_type="pt", height=32,
                    width=32).images


# ---- transformers' Trainer, accelerate, peft

class Sentences(torch.utils.data.Dataset):
    def __len__(self):
        return 32

    def __getitem__(self, i):
        words = torch.randint(3, 100, (16,), generator=torch.Generator().manual_seed(i))
        return {"input_ids": words, "labels": words}


def llama():
    from transformers import LlamaConfig, LlamaForCausalLM
    return LlamaForCausalLM(LlamaConfig(
        hidden_size=64, intermediate_size=128, num_hidden_layers=2, num_attention_heads=4,
        num_key_value_heads=2, vocab_size=100))


TRAININGS = {
    "fp32": {}, "bf16": {"bf16": True}, "checkpointing": {"gradient_checkpointing": True},
    "accumulation": {"gradient_accumulation_steps": 2}, "adafactor": {"optim": "adafactor"},
    "sgd": {"optim": "sgd"}, "adagrad": {"optim": "adagrad"}, "rmsprop": {"optim": "rmsprop"},
    "fused adamw": {"optim": "adamw_torch_fused"},
    "smoothed labels": {"label_smoothing_factor": 0.1},
}


@each("Trainer", TRAININGS, 2e-3)
def trainer(device, case):
    from transformers import Trainer, TrainingArguments
    with tempfile.TemporaryDirectory() as folder:
        arguments = TrainingArguments(
            output_dir=folder, per_device_train_batch_size=4, num_train_epochs=2, logging_steps=1,
            report_to=[], save_strategy="no", disable_tqdm=True, use_cpu=device.type == "cpu",
            **TRAININGS[case])
        of = Trainer(model=llama(), args=arguments, train_dataset=Sentences(),
                     eval_dataset=Sentences())
        assert of.args.device.type == device.type
        of.train()
        losses = [entry["loss"] for entry in of.state.log_history if "loss" in entry]
        return losses, of.evaluate()["eval_loss"]


@each("accelerate", ("loop",))
def loop(device, case):
    from accelerate import Accelerator
    from accelerate.state import AcceleratorState
    AcceleratorState._reset_state(reset_partial_state=True)  # the other device's
    accelerator = Accelerator(cpu=device.type == "cpu")
    assert accelerator.device.type == device.type
    model = llama()
    model, optimizer, batches = accelerator.prepare(
        model, torch.optim.AdamW(model.parameters(), 1e-3),
        torch.utils.data.DataLoader(Sentences(), batch_size=4))
    losses = []
    for batch in batches:
        loss = model(**batch).loss
        accelerator.backward(loss)
        accelerator.clip_grad_norm_(model.parameters(), 1.0)
        optimizer.step()
        optimizer.zero_grad()
        losses.append(loss.item())
    with tempfile.TemporaryDirectory() as folder:
        accelerator.save_state(folder)
        accelerator.load_state(folder)
    AcceleratorState._reset_state(reset_partial_state=True)
    return losses


TARGETS = ["q_proj", "v_proj"]
ADAPTERS = {
    "LoraConfig": {"r": 4, "target_modules": TARGETS},
    "LoraConfig dora": {"r": 4, "target_modules": TARGETS, "use_dora": True},
    "LoraConfig pissa": {"r": 4, "target_modules": TARGETS, "init_lora_weights": "pissa"},
    "IA3Config": {"target_modules": TARGETS, "feedforward_modules": []},
    "AdaLoraConfig": {"target_modules": TARGETS, "total_step": 10},
    "PromptTuningConfig": {"task_type": "CAUSAL_LM", "num_virtual_tokens": 4},
    "PrefixTuningConfig": {"task_type": "CAUSAL_LM", "num_virtual_tokens": 4},
    "LoHaConfig": {"r": 4, "target_modules": TARGETS},
    "LoKrConfig": {"r": 4, "target_modules": TARGETS},
    "OFTConfig": {"r": 0, "oft_block_size": 4, "target_modules": TARGETS},
    "BOFTConfig": {"boft_block_size": 4, "target_modules": ["q_proj"]},
    "VeraConfig": {"r": 4, "target_modules": ["q_proj"]},
    "HRAConfig": {"r": 4, "target_modules": TARGETS},
}


@each("peft", ADAPTERS)
def adapter(device, case):
    import peft
    model = peft.get_peft_model(llama(), getattr(peft, case.split()[0])(**ADAPTERS[case]))
    model.to(device)
    optimizer = torch.optim.AdamW([p for p in model.parameters() if p.requires_grad], 1e-2)
    losses = []
    for i in range(3):
        words = Sentences()[i]["input_ids"][None].to(device)
        loss = model(input_ids=words, labels=words).loss
        loss.backward()
        optimizer.step()
        optimizer.zero_grad()
        losses.append(loss.detach())
    return losses


# ---- torchvision

DETECTORS = ("fasterrcnn_mobilenet_v3_large_320_fpn", "retinanet_resnet50_fpn", "fcos_resnet50_fpn",
             "ssdlite320_mobilenet_v3_large")
SEGMENTERS = ("deeplabv3_mobilenet_v3_large", "lraspp_mobilenet_v3_large", "fcn_resnet50")
VIDEOS = ("r3d_18", "mc3_18", "r2plus1d_18", "swin3d_t")


def steady(model):
    """Without what draws numbers, which are others on each device."""
    for module in model.modules():
        if isinstance(module, (torch.nn.BatchNorm2d, torch.nn.Dropout)):
            module.eval()
    return model


@each("torchvision", DETECTORS)
def detector(device, case):
    from torchvision.models import detection
    model = getattr(detection, case)(weights=None, weights_backbone=None, num_classes=5)
    image = torch.rand(3, 128, 128).to(device)
    target = {"boxes": torch.tensor([[10.0, 10, 60, 60]], device=device),
              "labels": torch.tensor([1], device=device)}
    losses = steady(model.train()).to(device)([image], [target])
    sum(losses.values()).backward()
    return losses


@each("torchvision", SEGMENTERS)
def segmenter(device, case):
    from torchvision.models import segmentation
    model = getattr(segmentation, case)(weights=None, weights_backbone=None).eval().to(device)
    return model(torch.rand(1, 3, 96, 96).to(device))["out"]


@each("torchvision", VIDEOS)
def video(device, case):
    from torchvision.models import video as videos
    return getattr(videos, case)(weights=None).eval().to(device)(
        torch.rand(1, 3, 16, 112, 112).to(device))


TRANSFORMS = {
    "Resize": {"size": 40}, "GaussianBlur": {"kernel_size": 5, "sigma": (1, 1)}, "Grayscale": {},
    "RandomRotation": {"degrees": (30, 30)}, "ColorJitter": {"brightness": 0.5, "hue": 0.1},
    "RandomPerspective": {"p": 1}, "ElasticTransform": {}, "RandomEqualize": {"p": 1},
    "RandomSolarize": {"threshold": 0.5, "p": 1}, "RandomAutocontrast": {"p": 1},
    "RandomAdjustSharpness": {"sharpness_factor": 2, "p": 1}, "RandomErasing": {"p": 1},
    "Pad": {"padding": 3, "padding_mode": "reflect"}, "CenterCrop": {"size": 20},
}


@each("torchvision transform", TRANSFORMS)
def transform(device, case):
    from torchvision.transforms import v2
    images = torch.rand(2, 3, 32, 48)
    torch.manual_seed(5)
    return getattr(v2, case)(**TRANSFORMS[case])(images.to(device))


# ---- torch_geometric, kornia, torchmetrics

CONVOLUTIONS = {"GCNConv": {}, "SAGEConv": {}, "GATConv": {"heads": 2}, "GATv2Conv": {},
                "TAGConv": {}, "ChebConv": {"K": 2}, "TransformerConv": {}, "GraphConv": {},
                "SGConv": {}, "ResGatedGraphConv": {}}


@each("torch_geometric", CONVOLUTIONS)
def graph(device, case):
    import torch_geometric.nn
    layer = getattr(torch_geometric.nn, case)(8, 8, **CONVOLUTIONS[case])
    return trained(layer, numbers("cpu", 20, 8), integers("cpu", 2, 60, high=20), device=device)


@each("torch_geometric", ("global_mean_pool", "global_max_pool", "global_add_pool"))
def pool(device, case):
    import torch_geometric.nn
    return getattr(torch_geometric.nn, case)(numbers(device, 20, 8),
                                             torch.arange(20, device=device) // 7)


FILTERS = {
    "color.rgb_to_hsv": (), "color.rgb_to_lab": (), "color.rgb_to_yuv": (),
    "filters.gaussian_blur2d": ((5, 5), (1.0, 1.0)), "filters.sobel": (),
    "filters.laplacian": (3,),
    "filters.median_blur": ((3, 3),), "filters.bilateral_blur": ((3, 3), 0.1, (1.0, 1.0)),
    "filters.canny": (), "feature.harris_response": (), "geometry.pyrdown": (),
    "geometry.vflip": (),
    "enhance.equalize": (), "enhance.adjust_gamma": (0.5,), "enhance.sharpness": (0.5,),
}


@each("kornia", FILTERS)
def image_filter(device, case):
    import kornia
    module, name = case.split(".")
    images = torch.rand(2, 3, 32, 32).to(device)
    return getattr(getattr(kornia, module), name)(images, *FILTERS[case])


METRICS = ("Accuracy", "F1Score", "AUROC", "AveragePrecision", "ConfusionMatrix", "CohenKappa",
           "CalibrationError", "JaccardIndex", "MatthewsCorrCoef", "HingeLoss")


@each("torchmetrics", METRICS)
def metric(device, case):
    import torchmetrics
    of = getattr(torchmetrics, case)("multiclass", num_classes=5).to(device)
    of.update(numbers(device, 20, 5).softmax(-1), integers(device, 20, high=5))
    return of.compute()
