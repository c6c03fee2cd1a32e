"""The arms of a result folder against the baseline, as a script of an evening
would have it: for each of the metrics below the paired log ratios of the
blocks, their mean and 95 % interval. Called by compare.sh; the standard
library alone, one pass over each file."""
import csv
import json
import math
import os
import statistics
import sys


SLACK_S = 0.001  # as harness/data/window.h has it


def t_quantile(df):
    """97.5 % of Student's t, by Cornish and Fisher: to 4 digits for df > 9."""
    z = statistics.NormalDist().inv_cdf(0.975)
    g1 = (z**3 + z) / 4
    g2 = (5 * z**5 + 16 * z**3 + 3 * z) / 96
    return z + g1 / df + g2 / df**2


def rows(path):
    with open(path, newline="", encoding="ascii") as f:
        yield from csv.DictReader(f, delimiter="\t")


def window(folder):
    phase = {r["detail"]: float(r["t_s"]) for r in rows(folder + "/events.tsv")}
    return phase["measure"], phase["stop"]


def measure(folder):
    begin, end = window(folder)
    transactions = seconds = 0.0
    p95 = []
    for r in rows(folder + "/sysbench.tsv"):
        t = float(r["t_s"])
        length = float(r["interval_s"])
        if begin - SLACK_S <= t - length and t <= end + SLACK_S:
            transactions += float(r["transactions"])
            seconds += length
            p95.append(float(r["latency_p95_ms"]))
    rss = []
    huge = []
    for r in rows(folder + "/samples.tsv"):
        if begin - SLACK_S <= float(r["t_s"]) <= end + SLACK_S:
            rss.append(float(r["rss_bytes"]))
            huge.append(float(r["huge_bytes"]))
    return {
        "tps": transactions / seconds,
        "latency_p95_ms": statistics.median(p95),
        "rss_bytes": statistics.fmean(rss),
        "huge_bytes": statistics.fmean(huge),
    }


def main(folder):
    with open(folder + "/manifest.json", encoding="ascii") as f:
        baseline = json.load(f)["baseline"]
    runs = {}
    for r in rows(folder + "/journal.tsv"):
        if r["state"] in ("ok", "marked"):
            runs[r["arm"], int(r["block"])] = measure(
                os.path.join(folder, r["dir"])
            )
    for arm in sorted({a for a, _ in runs} - {baseline}):
        blocks = [b for a, b in runs if a == arm and (baseline, b) in runs]
        for metric in runs[arm, blocks[0]]:
            d = [
                math.log(runs[arm, b][metric] / runs[baseline, b][metric])
                for b in blocks
            ]
            half = t_quantile(len(d) - 1) * statistics.stdev(d) / len(d) ** 0.5
            centre = statistics.fmean(d)
            low, mean, high = (
                100 * math.expm1(x) for x in (centre - half, centre, centre + half)
            )
            print(f"{arm} {metric} {mean:+.2f} % [{low:+.2f}, {high:+.2f}]")


main(sys.argv[1])
