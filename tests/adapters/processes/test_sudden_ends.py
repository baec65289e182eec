"""A server that is killed in the middle of writes: nothing acknowledged is lost, none is half."""

import signal
from threading import Condition, Thread

from rentbilling.adapters.client import NoAnswerError
from rentbilling.testing import a_rent
from tests.adapters.processes.server_processes import NEW, Place, Server, served

CLIENTS = 8
WRITES = 400
# After so many of them the server is killed.
MIDDLE = 150


class Writers:
    """Clients that write hundreds of times together, each until the server is gone."""

    def __init__(self, server: Server) -> None:
        self.tenancies: dict[str, str] = {}
        self.items: dict[str, str] = {}
        self.silences: list[NoAnswerError] = []
        self.others: list[Exception] = []
        self._server = server
        self._begun = 0
        self._changed = Condition()
        self._threads = [Thread(target=self._write) for _ in range(CLIENTS)]

    @property
    def acknowledged(self) -> int:
        return len(self.tenancies) + len(self.items)

    def start(self) -> None:
        for each in self._threads:
            each.start()

    def wait_for(self, writes: int) -> bool:
        with self._changed:
            return self._changed.wait_for(
                lambda: self.acknowledged >= writes or bool(self.others or self.silences), 60
            )

    def end(self) -> None:
        for each in self._threads:
            each.join(60)
        assert [] == [each for each in self._threads if each.is_alive()]

    def _write(self) -> None:
        try:
            with self._server.client() as client:
                while self._may_go_on():
                    made = client.create_tenancy(NEW)
                    with self._changed:
                        self.tenancies[made.tenancy_id] = made.lease_id
                        self._changed.notify_all()
                    item = client.create_recurring_bill_item(made.lease_id, a_rent())
                    with self._changed:
                        self.items[item.recurring_bill_item_id] = made.lease_id
                        self._changed.notify_all()
        except NoAnswerError as error:
            self._note(self.silences, error)
        except Exception as error:  # noqa: BLE001 - told by the test
            self._note(self.others, error)

    def _may_go_on(self) -> bool:
        with self._changed:
            self._begun += 2
            return self._begun <= WRITES

    def _note(
        self, errors: "list[NoAnswerError] | list[Exception]", error: NoAnswerError | Exception
    ) -> None:
        with self._changed:
            errors.append(error)  # type: ignore[arg-type]
            self._changed.notify_all()


def test_every_acknowledged_write_outlives_a_kill_and_none_is_half(place: Place) -> None:
    """SIGKILL in the middle of 400 writes of eight clients; then another server is started.

    At most one write of each client was on its way, and may have been kept or not.
    """
    with served(place) as server:
        writers = Writers(server)
        writers.start()
        assert writers.wait_for(MIDDLE)
        assert -signal.SIGKILL == server.end(signal.SIGKILL)
        writers.end()
    assert [] == writers.others
    assert CLIENTS == len(writers.silences)
    assert MIDDLE <= writers.acknowledged < WRITES

    with served(place) as server, server.client() as client:
        tenancies = {str(each.id): each for each in client.tenancies()}
        leases = {str(each.id): each for each in client.leases()}
        items = {str(each.id): str(each.lease_id) for each in client.recurring_bill_items()}

        # All that was acknowledged is there, with what belongs to it.
        assert writers.tenancies == {
            each: str(tenancies[each].lease_ids[0]) for each in writers.tenancies
        }
        assert writers.items == {each: items[each] for each in writers.items}
        # No more than what was on its way is there beside it.
        assert len(tenancies) + len(items) - writers.acknowledged <= CLIENTS
        # A tenancy has its draft lease, a lease its tenancy, and an item its lease.
        assert {each: (lease.tenancy_id, "Draft") for each, lease in leases.items()} == {
            each.lease_ids[0]: (each.id, leases[str(each.lease_ids[0])].operational_state)
            for each in tenancies.values()
        }
        assert set(items.values()) <= set(leases)
        # Each of them can be billed, and the server goes on.
        for lease_id in list(items.values())[:5]:
            assert 1 == len(client.pending_bills(lease_id, "2026-03-01/2026-03-31"))
        made = client.create_tenancy(NEW)
        assert made.tenancy_id == list(client.tenancies())[-1].id
        assert 0 == server.end()
