# SPDX-License-Identifier: Apache-2.0
"""Programs of programs.py: a layer or a loss each, with its gradients."""

import torch
from torch import nn
from torch.nn import functional

from program_table import PROGRAMS, integers, numbers, program, with_gradients

IMAGES = (2, 4, 9, 8)
SEQUENCES = (2, 5, 16)
# name -> (module, shape of its input or function of the device that returns the inputs)
LAYERS = {
    "linear": (lambda: nn.Linear(16, 7), SEQUENCES),
    "bilinear": (lambda: nn.Bilinear(4, 5, 3), lambda d: (numbers(d, 6, 4), numbers(d, 6, 5))),
    "embedding": (lambda: nn.Embedding(10, 6, padding_idx=2), lambda d: (integers(d, 3, 5),)),
    "embedding of bounded norms": (lambda: nn.Embedding(10, 6, max_norm=1.0),
                                   lambda d: (integers(d, 3, 5),)),
    "embedding bag": (lambda: nn.EmbeddingBag(10, 6, mode="mean"), lambda d: (integers(d, 3, 5),)),
    "embedding bag with offsets": (lambda: nn.EmbeddingBag(10, 6, mode="sum"), lambda d: (
        integers(d, 8), torch.tensor([0, 3, 3], device=d))),
    "convolution 1d": (lambda: nn.Conv1d(4, 6, 3, padding="same"), (2, 4, 10)),
    "convolution 2d": (lambda: nn.Conv2d(4, 6, 3, stride=2, padding=1), IMAGES),
    "convolution 2d, unbatched": (lambda: nn.Conv2d(4, 6, (3, 1), bias=False), IMAGES[1:]),
    "convolution 2d, reflected": (lambda: nn.Conv2d(4, 6, 3, padding=1, padding_mode="reflect"),
                                  IMAGES),
    "convolution 2d, depthwise": (lambda: nn.Conv2d(4, 8, 3, groups=4, dilation=2), IMAGES),
    "convolution 3d": (lambda: nn.Conv3d(2, 3, 3, padding=1), (1, 2, 4, 5, 6)),
    "transposed convolution 1d": (lambda: nn.ConvTranspose1d(4, 3, 3, stride=2), (2, 4, 6)),
    "transposed convolution 2d": (lambda: nn.ConvTranspose2d(4, 6, 3, stride=2, padding=1,
                                                             output_padding=1, groups=2), IMAGES),
    "transposed convolution 3d": (lambda: nn.ConvTranspose3d(2, 3, 2, stride=2), (1, 2, 3, 4, 3)),
    "max pool 1d": (lambda: nn.MaxPool1d(3, stride=2), (2, 4, 10)),
    "max pool 2d": (lambda: nn.MaxPool2d(3, stride=2, padding=1, ceil_mode=True), IMAGES),
    "max pool 3d": (lambda: nn.MaxPool3d(2), (1, 2, 4, 6, 4)),
    "average pool 1d": (lambda: nn.AvgPool1d(3, stride=2), (2, 4, 10)),
    "average pool 2d": (lambda: nn.AvgPool2d(3, padding=1, count_include_pad=False), IMAGES),
    "average pool 3d": (lambda: nn.AvgPool3d(2), (1, 2, 4, 6, 4)),
    "adaptive average pool 1d": (lambda: nn.AdaptiveAvgPool1d(3), (2, 4, 10)),
    "adaptive average pool 2d": (lambda: nn.AdaptiveAvgPool2d((3, 1)), IMAGES),
    "adaptive average pool 3d": (lambda: nn.AdaptiveAvgPool3d(2), (1, 2, 4, 5, 4)),
    "adaptive max pool 2d": (lambda: nn.AdaptiveMaxPool2d((3, 2)), IMAGES),
    "power average pool 2d": (lambda: nn.LPPool2d(2, 3, stride=2), IMAGES),
    "batch norm 1d": (lambda: nn.BatchNorm1d(4), (6, 4)),
    "batch norm 2d": (lambda: nn.BatchNorm2d(4), IMAGES),
    "batch norm 3d": (lambda: nn.BatchNorm3d(2, affine=False), (2, 2, 3, 4, 5)),
    "layer norm": (lambda: nn.LayerNorm(16), SEQUENCES),
    "layer norm over two dimensions": (lambda: nn.LayerNorm((5, 16), bias=False), SEQUENCES),
    "group norm": (lambda: nn.GroupNorm(2, 4), IMAGES),
    "instance norm": (lambda: nn.InstanceNorm2d(4, affine=True), IMAGES),
    "root mean square norm": (lambda: nn.RMSNorm(16), SEQUENCES),
    "local response norm": (lambda: nn.LocalResponseNorm(2), IMAGES),
    "weight norm": (lambda: nn.utils.parametrizations.weight_norm(nn.Linear(16, 7)), SEQUENCES),
    "spectral norm": (lambda: nn.utils.parametrizations.spectral_norm(nn.Linear(16, 7)), SEQUENCES),
    "upsample nearest": (lambda: nn.Upsample(scale_factor=2), IMAGES),
    "upsample nearest 1d": (lambda: nn.Upsample(scale_factor=3), (2, 4, 5)),
    "upsample nearest 3d": (lambda: nn.Upsample(scale_factor=2), (1, 2, 3, 4, 3)),
    "upsample linear": (lambda: nn.Upsample(scale_factor=2, mode="linear"), (2, 4, 5)),
    "upsample bilinear": (lambda: nn.Upsample(size=(13, 7), mode="bilinear"), IMAGES),
    "upsample bilinear, aligned": (lambda: nn.Upsample((13, 7), mode="bilinear",
                                                       align_corners=True), IMAGES),
    "upsample bicubic": (lambda: nn.Upsample(size=(13, 7), mode="bicubic"), IMAGES),
    "upsample trilinear": (lambda: nn.Upsample(scale_factor=2, mode="trilinear"), (1, 2, 3, 4, 3)),
    "pixel shuffle": (lambda: nn.PixelShuffle(2), IMAGES),
    "pixel unshuffle": (lambda: nn.PixelUnshuffle(2), (2, 4, 6, 8)),
    "channel shuffle": (lambda: nn.ChannelShuffle(2), IMAGES),
    "unfold": (lambda: nn.Unfold(3, padding=1), IMAGES),
    "fold": (lambda: nn.Fold((6, 5), 2), (2, 8, 20)),
    "paddings": (lambda: nn.Sequential(nn.ReflectionPad2d(2), nn.ReplicationPad2d(1),
                                       nn.ZeroPad2d((1, 0, 2, 0)), nn.CircularPad2d(1)), IMAGES),
    "flatten": (lambda: nn.Sequential(nn.Flatten(2), nn.Unflatten(2, (12, 6))), IMAGES),
    "recurrent": (lambda: nn.RNN(16, 6, num_layers=2, batch_first=True), SEQUENCES),
    "recurrent cell": (lambda: nn.RNNCell(16, 6), (3, 16)),
    "LSTM": (lambda: nn.LSTM(16, 6, batch_first=True), SEQUENCES),
    "LSTM, both ways": (lambda: nn.LSTM(16, 6, num_layers=2, bidirectional=True), SEQUENCES),
    "LSTM cell": (lambda: nn.LSTMCell(16, 6), (3, 16)),
    "GRU": (lambda: nn.GRU(16, 6, batch_first=True), SEQUENCES),
    "GRU cell": (lambda: nn.GRUCell(16, 6), (3, 16)),
    "multi-head attention": (lambda: nn.MultiheadAttention(16, 4, batch_first=True),
                             lambda d: (numbers(d, *SEQUENCES),) * 3),
    "transformer encoder": (lambda: nn.TransformerEncoder(nn.TransformerEncoderLayer(
        16, 4, 32, dropout=0.0, batch_first=True, norm_first=True), 2,
        enable_nested_tensor=False), SEQUENCES),
    "transformer decoder": (lambda: nn.TransformerDecoder(nn.TransformerDecoderLayer(
        16, 4, 32, dropout=0.0, batch_first=True), 2),
        lambda d: (numbers(d, *SEQUENCES), numbers(d, 2, 7, 16))),
    "transformer": (lambda: nn.Transformer(16, 4, 1, 1, 32, dropout=0.0, batch_first=True),
                    lambda d: (numbers(d, *SEQUENCES), numbers(d, 2, 7, 16))),
    "cosine similarity": (lambda: nn.CosineSimilarity(), lambda d: (numbers(d, 6, 4),
                                                                   numbers(d, 6, 4))),
    "pairwise distance": (lambda: nn.PairwiseDistance(), lambda d: (numbers(d, 6, 4),
                                                                   numbers(d, 6, 4))),
}
ACTIVATIONS = (nn.CELU, nn.ELU, nn.GELU, nn.Hardshrink, nn.Hardsigmoid, nn.Hardswish, nn.Hardtanh,
               nn.LeakyReLU, nn.LogSigmoid, nn.Mish, nn.PReLU, nn.ReLU, nn.ReLU6, nn.SELU, nn.SiLU,
               nn.Sigmoid, nn.Softplus, nn.Softshrink, nn.Softsign, nn.Tanh, nn.Tanhshrink)
# name -> (loss, inputs); torch_npu gives targets no gradient.
LOSSES = {
    "cross entropy": (functional.cross_entropy, lambda d: (numbers(d, 6, 5),
                                                           integers(d, 6, high=5))),
    "cross entropy, weighted and smooth": (
        lambda x, y: functional.cross_entropy(x, y, torch.arange(1., 6., device=x.device),
                                              ignore_index=2, label_smoothing=0.1),
        lambda d: (numbers(d, 6, 5), integers(d, 6, high=5))),
    "cross entropy of probabilities": (functional.cross_entropy, lambda d: (
        numbers(d, 6, 5), numbers(d, 6, 5).softmax(1))),
    "cross entropy of images": (functional.cross_entropy, lambda d: (
        numbers(d, 2, 5, 3, 4), integers(d, 2, 3, 4, high=5))),
    "squared error": (functional.mse_loss, lambda d: (numbers(d, 6, 5), numbers(d, 6, 5))),
    "absolute errors": (lambda x, y: [functional.l1_loss(x, y), functional.huber_loss(x, y),
                                      functional.smooth_l1_loss(x, y, beta=0.5)],
                        lambda d: (numbers(d, 6, 5), numbers(d, 6, 5))),
    "binary cross entropy": (lambda x, y: [
        functional.binary_cross_entropy(x.sigmoid(), y.detach().sigmoid()),
        functional.binary_cross_entropy_with_logits(
            x, y.detach().sigmoid(), pos_weight=torch.full((5,), 2., device=x.device),
            reduction="sum")],
        lambda d: (numbers(d, 6, 5), numbers(d, 6, 5))),
    "divergence": (lambda x, y: functional.kl_div(x.log_softmax(1), y.detach().softmax(1),
                                                  reduction="batchmean"),
                   lambda d: (numbers(d, 6, 5), numbers(d, 6, 5))),
    "margins": (lambda x, y, z: [
        functional.soft_margin_loss(x, y.detach().sign()), functional.triplet_margin_loss(x, y, z),
        functional.margin_ranking_loss(x[:, 0], y[:, 0], z[:, 0].detach().sign(), margin=0.1),
        functional.hinge_embedding_loss(x, y.detach().sign()),
        functional.cosine_embedding_loss(x, y, z[:, 0].detach().sign())],
        lambda d: tuple(numbers(d, 6, 5) for _ in range(3))),
    "margins of classes": (functional.multi_margin_loss, lambda d: (numbers(d, 6, 5),
                                                                    integers(d, 6, high=5))),
    "margins of many labels": (functional.multilabel_margin_loss, lambda d: (
        numbers(d, 6, 5), integers(d, 6, 5, high=5))),
    "likelihoods": (lambda x, y: [functional.poisson_nll_loss(x, y.abs()),
                                  functional.gaussian_nll_loss(x, y, y.detach().square() + 0.1),
                                  functional.nll_loss(x.log_softmax(1), y.abs().argmax(1))],
                    lambda d: (numbers(d, 6, 5), numbers(d, 6, 5))),
    "connectionist temporal classification": (
        lambda x, y: functional.ctc_loss(x.log_softmax(2), y, torch.full((2,), 9), torch.full(
            (2,), 3)), lambda d: (numbers(d, 9, 2, 6), integers(d, 2, 3, low=1, high=6))),
}


def add_layer(name, make, inputs):
    def run(device):
        module = make().to(device)
        given = inputs(device) if callable(inputs) else (numbers(device, *inputs),)
        results = with_gradients(module, *given)
        module.eval()
        with torch.no_grad():
            return [results, module(*given), dict(module.named_buffers())]

    PROGRAMS["layer: " + name] = run, 2e-4


def add_loss(name, loss, inputs):
    PROGRAMS["loss: " + name] = lambda device: with_gradients(loss, *inputs(device)), 2e-4


for _name, _row in LAYERS.items():
    add_layer(_name, *_row)
for _name, _row in LOSSES.items():
    add_loss(_name, *_row)


@program(1e-3)  # aclnnGelu is the approximation by tanh
def activations(device):
    x = numbers(device, 4, 9) * 2
    return {kind.__name__: with_gradients(kind().to(device), x) for kind in ACTIVATIONS}


@program()
def activations_in_place(device):
    x = numbers(device, 4, 9)
    return [getattr(functional, name)(x.clone(), inplace=True)
            for name in ("relu", "leaky_relu", "elu", "hardtanh", "hardswish", "silu", "selu",
                         "mish", "hardsigmoid", "celu", "relu6")]


@program()
def gated_linear_unit(device):
    return with_gradients(functional.glu, numbers(device, 4, 6))


@program()
def softmaxes(device):
    x = numbers(device, 3, 4, 5)
    return [with_gradients(lambda t, f=f, dim=dim: f(t, dim), x)
            for f in (functional.softmax, functional.log_softmax, functional.softmin)
            for dim in (0, 1, -1)] + [x.half().softmax(-1), x.softmax(1, dtype=torch.float16)]


@program(1e-3)
def attention(device):
    q, k, v = (numbers(device, 2, 4, 8, 16) for _ in range(3))
    attend = functional.scaled_dot_product_attention
    mask = (torch.arange(8)[:, None] >= torch.arange(8) - 2).to(device)
    few = numbers(device, 2, 2, 8, 16)
    return [with_gradients(attend, q, k, v),
            with_gradients(lambda *t: attend(*t, is_causal=True), q, k, v),
            with_gradients(lambda *t: attend(*t, attn_mask=mask), q, k, v),
            with_gradients(lambda *t: attend(*t, attn_mask=mask.float(), scale=0.3), q, k, v),
            attend(q, few, few, enable_gqa=True), attend(q[:, :, :1], k, v),
            attend(q.half(), k.half(), v.half(), is_causal=True)]


@program()
def sampling_of_images(device):
    x, angles = numbers(device, *IMAGES), numbers(device, 2, 2, 3)
    grid = functional.affine_grid(angles, IMAGES)
    return [grid] + [with_gradients(lambda a, b, m=mode, p=padding: functional.grid_sample(
        a, b, m, p, align_corners=False), x, grid) for mode in ("bilinear", "nearest")
        for padding in ("zeros", "border", "reflection")]


@program()
def max_pool_and_back(device):
    # The device's own places of maxima are a mask, which only the pool's gradient reads.
    values, places = functional.max_pool2d(torch.randn(IMAGES), 2, return_indices=True)
    return functional.max_unpool2d(values.to(device), places.to(device), 2, output_size=IMAGES)


@program()
def packed_sequences(device):
    x = numbers(device, 3, 5, 16)
    packed = nn.utils.rnn.pack_padded_sequence(x, torch.tensor([5, 3, 2]), batch_first=True)
    padded = nn.utils.rnn.pad_sequence([x[0], x[1, :2], x[2, :4]], batch_first=True)
    # torch_npu's packed sequences stay padded, with what stood there.
    again, lengths = nn.utils.rnn.pad_packed_sequence(packed, batch_first=True)
    return [[row[:length] for row, length in zip(again, lengths)], lengths, padded]


@program()
def masked_transformer(device):
    layer = nn.TransformerEncoderLayer(16, 4, 32, dropout=0.0, batch_first=True).to(device)
    x = numbers(device, *SEQUENCES)
    padding = torch.tensor([[False] * 5, [False] * 3 + [True] * 2]).to(device)
    causal = nn.Transformer.generate_square_subsequent_mask(5, device=device)
    return [layer(x, src_key_padding_mask=padding), layer(x, src_mask=causal, is_causal=True)]


@program()
def fast_path_of_transformers(device):
    layer = nn.TransformerEncoderLayer(16, 4, 32, batch_first=True).to(device).eval()
    with torch.no_grad():
        return layer(numbers(device, *SEQUENCES))
