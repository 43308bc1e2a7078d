"""Plays tournaments: takes free bots and free capacity, and brings every result to the store.

- `files` reads what a host hands in, `setups` says how a pairing is played, `waiting` finds the next one;
- `scheduler.Scheduler` runs everything; `run.Run` is one tournament that is being played, as the
  store has it, so that after a crash it is simply read again;
- `crew` starts and watches the bots that the host brings along;
- `commands` is what a host may do, each command audited and harmless when it comes twice;
- `progress`, `views` and `rating_book` say how it stands, `lobby_news` tells it to those who watch.
"""
