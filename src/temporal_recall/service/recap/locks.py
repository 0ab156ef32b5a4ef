"""One generation at a time for one owner and window, inside this process. There is no queue: the second is refused."""

from __future__ import annotations

from threading import Lock

from temporal_recall.schemas.recap import RecapError


class Lease:
    """A held lock. Releasing it twice does nothing, and never frees what a later holder took."""

    def __init__(self, locks: GenerationLocks, key: tuple[str, str]) -> None:
        self._locks, self._key = locks, key

    def release(self) -> None:
        """Gives the lock back, if it is still this lease's."""
        self._locks.release(self._key, self)


class GenerationLocks:
    """The leases that are held, by owner and window key."""

    def __init__(self) -> None:
        self._leases: dict[tuple[str, str], Lease] = {}
        self._guard = Lock()

    def acquire(self, owner_id: str, window_key: str) -> Lease:
        """A lease on one owner's window.

        Raises:
            RecapError: `generation_in_progress`.
        """
        key = (owner_id, window_key)
        with self._guard:
            if key in self._leases:
                raise RecapError("generation_in_progress", "this diary is being written already; wait until it is done")
            lease = self._leases[key] = Lease(self, key)
        return lease

    def release(self, key: tuple[str, str], lease: Lease) -> None:
        """Frees a key, if this lease is the one that holds it."""
        with self._guard:
            if self._leases.get(key) is lease:
                del self._leases[key]
