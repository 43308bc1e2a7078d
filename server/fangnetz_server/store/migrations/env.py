"""Run by Alembic: uses the connection, and the transaction, that `store.migrate` has opened."""

from alembic import context

from fangnetz_server.store.migrate import VERSION_TABLE

context.configure(connection=context.config.attributes["connection"], version_table=VERSION_TABLE)
context.run_migrations()
