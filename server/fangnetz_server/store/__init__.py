"""What the server remembers: SQLAlchemy tables in SQLite or PostgreSQL, and replays on the disk.

`Store.open` gives the one object that the rest of the server uses; `values` are what goes in and
comes out, `errors` what can go wrong.
"""

from fangnetz_server.store.store import Store, opened_store

__all__ = ["Store", "opened_store"]
