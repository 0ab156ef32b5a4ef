"""The views that the chat adapter reads, as numbered SQL migrations for SQLite and PostgreSQL.

They are applied by whoever owns the Portal's database; recall itself only reads. The view `recall_views_version` tells
which are in place.
"""

from __future__ import annotations

from importlib.resources import files
from typing import TYPE_CHECKING

from temporal_recall.schemas.errors import InvalidConfig

if not __name__.startswith("temporal_recall."):  # a second copy of every class would be made
    raise ImportError(f"import temporal_recall.{__name__}, not {__name__}")

if TYPE_CHECKING:
    from sqlalchemy import Connection, Engine


def migrations(dialect: str) -> dict[int, str]:
    """The SQL of each migration by number, ascending.

    Raises:
        InvalidConfig: the Portal runs on a database for which there are none.
    """
    folder = files(__name__) / dialect
    if not folder.is_dir():
        raise InvalidConfig("portal.database", dialect, "sqlite or postgresql")
    names = sorted(entry.name for entry in folder.iterdir() if entry.name.endswith(".sql"))
    return {int(name[:4]): (folder / name).read_text(encoding="utf-8") for name in names}


def newest_version(dialect: str) -> int:
    """The version that this release reads."""
    return max(migrations(dialect))


def applied_version(connection: Connection) -> int:
    """The version that is in place; 0 where none of ours is."""
    from sqlalchemy import inspect, text

    if "recall_views_version" not in inspect(connection).get_view_names():
        return 0
    return int(connection.execute(text("SELECT version FROM recall_views_version")).scalar_one())


def apply_migrations(engine: Engine) -> list[int]:
    """Applies what is missing, in one transaction a migration; the numbers that were applied.

    Raises:
        InvalidConfig: the database is newer than this release.
    """
    known = migrations(engine.dialect.name)
    with engine.connect() as connection:
        version = applied_version(connection)
    if version > max(known):
        raise InvalidConfig("portal.views", version, f"at most {max(known)}, which this release reads")
    missing = [number for number in known if number > version]
    for number in missing:
        _apply(engine, known[number])
    return missing


def _apply(engine: Engine, script: str) -> None:
    with engine.begin() as connection:
        driver = connection.connection.driver_connection
        if engine.dialect.name == "sqlite":
            driver.executescript(f"BEGIN; {script} COMMIT;")  # type: ignore[union-attr]
        else:
            connection.execution_options(no_parameters=True).exec_driver_sql(script)
