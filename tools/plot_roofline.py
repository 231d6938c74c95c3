#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Draws what GroupedMatmulSwigluQuant achieves against the roofline that was measured beside it.

usage: plot_roofline.py --plot FILE.svg RESULT.json...

The results are parts of one run of anyacl_bench (--benchmark_out). For each shape and kind of
weights the plot shows operations per second over the rows per expert, and the lower one of the two
limits: the peak of int8 dot products, and the rate of memory times the operations per byte of
weights.
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


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("results", nargs="+", help="JSON written by --benchmark_out")
    parser.add_argument("--plot", required=True, help="write the plot to this .svg or .png file")
    arguments = parser.parse_args()
    results = [Result(path) for path in arguments.results]
    panels = series(results)
    if not panels:
        parser.error("no results of GroupedMatmul with several counts of rows")

    import matplotlib

    matplotlib.use("Agg")
    # Equal results give equal files.
    matplotlib.rcParams["svg.hashsalt"] = "anyacl"
    from matplotlib import pyplot

    figure, axes = pyplot.subplots(1, len(panels), figsize=(5.6 * len(panels), 4.4),
                                   layout="constrained", squeeze=False)
    for axis, ((model, shape), lines) in zip(axes[0], panels.items()):
        experts, depth, columns = shape.split("x")
        draw_panel(axis, f"{model}: {experts} experts, K {depth}, N {columns}", lines)
    figure.suptitle("GroupedMatmulSwigluQuant: achieved (dots) and roofline of the same minute "
                    f"(bands), {results[0].title()}", x=0.01, ha="left", fontsize=11)
    pathlib.Path(arguments.plot).parent.mkdir(parents=True, exist_ok=True)
    metadata = {"Date": None} if arguments.plot.endswith(".svg") else None
    figure.savefig(arguments.plot, metadata=metadata, dpi=110)


if __name__ == "__main__":
    main()
