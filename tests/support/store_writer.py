"""A process that stores results until it is killed: `python -m support.store_writer FOLDER FIRST [DATABASE]`.

It begins and finishes match after match and writes the number of each to its output once the store
has said that it is there.
"""

import asyncio
import itertools
import sys
from pathlib import Path

from fangnetz_server.store import opened_store
from support.stored import PICTURE, replay_of, result_of, start_of


async def _main(folder: Path, first: int, database: str | None) -> None:
    async with opened_store(folder, database=database) as store:
        for number in itertools.count(first):
            start = start_of(f"m{number:05}", seed=number)
            await store.matches.begin(start)
            replay = replay_of(start.match) * (number % 40)
            await store.matches.finish(start, result_of(start), replay=replay, picture=PICTURE)
            print(number, flush=True)


if __name__ == "__main__":
    asyncio.run(_main(Path(sys.argv[1]), int(sys.argv[2]), sys.argv[3] if len(sys.argv) > 3 else None))
