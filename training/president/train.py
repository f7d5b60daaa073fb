"""Train the networks of Super Président by self-play in one go.

    python3 train.py --seconds 500 --out DIRECTORY
    python3 train.py --smoke --out DIRECTORY

The judge learns by deep Monte Carlo: it plays against itself, mostly the option with the best expected place, and
learns to predict the place that each chosen option led to. The small network learns in the second part of the time to
prefer the options that the judge prefers. Weights and the report are written every minute, so an interrupted training
keeps what it had. With a GPU, matches and learning use it; without, the CPU.
"""

from __future__ import annotations

import argparse
import time
from pathlib import Path


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--seconds", type=float, default=500.0, help="the time for everything")
    parser.add_argument("--smoke", action="store_true", help="a training of one minute, to find mistakes")
    parser.add_argument("--out", type=Path, required=True, help="the folder for the results")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--cpu", action="store_true", help="do not use the GPU")
    options = parser.parse_args()
    options.out.mkdir(parents=True, exist_ok=True)
    began = time.monotonic()
    # Loading torch takes seconds, and they count.
    from learning import train

    train(options.seconds, options.smoke, options.out, options.seed, options.cpu, began)


if __name__ == "__main__":
    main()
