#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Draws what an operator achieves against the limits that were measured beside it.

usage: plot_roofline.py OPERATOR --plot FILE.svg RESULT.json...

The results are parts of one run of anyacl_bench (--benchmark_out).

grouped_matmul: for each shape and kind of weights operations per second over the rows per expert,
and the lower one of the two limits: the peak of int8 dot products, and the rate of memory times the
operations per byte of weights.

attention: a bar per shape, in percent of its limit: decoding steps of the rate of reading memory or
caches, prompts of the peak of multiply-adds.
"""

import argparse
import pathlib
import re

from plot_benchmarks import Result

NAME = re.compile(r"(?P<model>[^/]+)/(?P<shape>\d+x\d+x\d+)/(?P<weights>\w+)/(?P<rows>\d+)_rows")
TITLES = {"int8": "INT8", "int4": "INT4, a scale per column",
          "int4_group128": "INT4, groups of 128", "int4_group256": "INT4, groups of 256"}
COLOURS = {"int8": "#2f6db3", "int4": "#c2571a", "int4_group128": "#3a8f4d",
           "int4_group256": "#7b4fa3"}
LIMIT_COLOURS = {"memory read": "#2f6db3", "cache read": "#3a8f4d", "fp32 peak": "#c2571a",
                 "bf16 peak": "#7b4fa3"}


def series(results):
    """{(model, shape): {weights: [(rows, run)]}} of balanced cases."""
    panels = {}
    for result in results:
        for name, run in result.group("GroupedMatmul"):
            if match := NAME.fullmatch(name):
                lines = panels.setdefault((match["model"], match["shape"]), {})
                lines.setdefault(match["weights"], []).append((int(match["rows"]), run))
    return {panel: {weights: sorted(runs, key=lambda item: item[0])
                    for weights, runs in lines.items()}
            for panel, lines in panels.items() if max(map(len, lines.values())) > 3}


def limit(run):
    """Operations per second that either memory or the dot products allow."""
    intensity = run["operations_per_second"] / run["bytes_per_second"]
    return min(run["ceiling_operations_per_second"], run["ceiling_bytes_per_second"] * intensity)


def draw_panel(axes, title, lines):
    for weights, runs in lines.items():
        rows = [count for count, _ in runs]
        axes.plot(rows, [limit(run) / 1e9 for _, run in runs], color=COLOURS[weights], alpha=0.35,
                  linewidth=4, solid_capstyle="round")
        axes.plot(rows, [run["operations_per_second"] / 1e9 for _, run in runs], "o-", markersize=4,
                  color=COLOURS[weights], linewidth=1.2, label=TITLES[weights])
    ticks = sorted({count for runs in lines.values() for count, _ in runs})
    axes.set_xscale("log", base=2)
    axes.set_yscale("log", base=2)
    axes.set_xticks(ticks, [str(tick) for tick in ticks])
    labels = [32, 64, 128, 256, 512, 1024]
    axes.set_yticks(labels, [str(label) for label in labels])
    axes.minorticks_off()
    axes.set_xlabel("rows per expert")
    axes.set_ylabel("Gop/s")
    axes.set_title(title, loc="left", fontsize=10)
    axes.grid(alpha=0.25)
    axes.spines[["top", "right"]].set_visible(False)
    axes.legend(fontsize=8, frameon=False, loc="lower right")


def draw_grouped_matmul(results, pyplot):
    panels = series(results)
    if not panels:
        return None
    figure, axes = pyplot.subplots(1, len(panels), figsize=(5.6 * len(panels), 4.4),
                                   layout="constrained", squeeze=False)
    for axis, ((model, shape), lines) in zip(axes[0], panels.items()):
        experts, depth, columns = shape.split("x")
        draw_panel(axis, f"{model}: {experts} experts, K {depth}, N {columns}", lines)
    figure.suptitle("GroupedMatmulSwigluQuant: achieved (dots) and roofline of the same minute "
                    f"(bands), {results[0].title()}", x=0.01, ha="left", fontsize=11)
    return figure


def draw_bars(axes, title, unit, counter, runs):
    """(name, run)s in percent of their limits, with the rate behind each bar."""
    places = range(len(runs))
    colours = [LIMIT_COLOURS.get(run["label"], "#777777") for _, run in runs]
    axes.barh(places, [run["percent_of_ceiling"] for _, run in runs], height=0.7, color=colours)
    for place, (_, run) in zip(places, runs):
        axes.text(run["percent_of_ceiling"], place, f" {run[counter] / 1e9:.0f}", va="center",
                  fontsize=7)
    axes.axvline(100, color="#444444", linewidth=0.8)
    axes.set_yticks(places, [name.replace("_", " ") for name, _ in runs], fontsize=7)
    axes.set_ylim(len(runs) - 0.4, -0.6)
    axes.set_xlim(0, 1.12 * max(100, *(run["percent_of_ceiling"] for _, run in runs)))
    axes.set_xlabel("% of the limit of the same minute")
    axes.set_title(f"{title} ({unit} behind the bars)", loc="left", fontsize=10)
    axes.spines[["top", "right"]].set_visible(False)
    for label in dict.fromkeys(run["label"] for _, run in runs):
        axes.bar(0, 0, color=LIMIT_COLOURS.get(label, "#777777"), label=label)
    axes.legend(fontsize=8, frameon=False, loc="lower right")


def draw_attention(results, pyplot):
    runs = [item for result in results for item in result.group("Attention")]
    panels = [("decoding", "GB/s", "bytes_per_second", "read"),
              ("prompts", "GFLOP/s", "operations_per_second", "peak")]
    panels = [(*panel, [item for item in runs if item[1]["label"].endswith(panel[3])])
              for panel in panels]
    panels = [panel for panel in panels if panel[4]]
    if not panels:
        return None
    heights = [len(panel[4]) for panel in panels]
    figure, axes = pyplot.subplots(
        len(panels), 1, figsize=(9.5, 0.19 * sum(heights) + 1.1 * len(panels) + 0.6),
        gridspec_kw={"height_ratios": heights}, layout="constrained", squeeze=False)
    for axis, (title, unit, counter, _, items) in zip(axes[:, 0], panels):
        draw_bars(axis, title, unit, counter, items)
    figure.suptitle(f"FusedInferAttentionScoreV2, {results[0].title()}", x=0.01, ha="left",
                    fontsize=11)
    return figure


DRAW = {"grouped_matmul": draw_grouped_matmul, "attention": draw_attention}


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("operator", choices=DRAW)
    parser.add_argument("results", nargs="+", help="JSON written by --benchmark_out")
    parser.add_argument("--plot", required=True, help="write the plot to this .svg or .png file")
    arguments = parser.parse_args()

    import matplotlib

    matplotlib.use("Agg")
    # Equal results give equal files.
    matplotlib.rcParams["svg.hashsalt"] = "anyacl"
    from matplotlib import pyplot

    figure = DRAW[arguments.operator]([Result(path) for path in arguments.results], pyplot)
    if figure is None:
        parser.error(f"no results of {arguments.operator}")
    pathlib.Path(arguments.plot).parent.mkdir(parents=True, exist_ok=True)
    metadata = {"Date": None} if arguments.plot.endswith(".svg") else None
    figure.savefig(arguments.plot, metadata=metadata, dpi=110)


if __name__ == "__main__":
    main()
