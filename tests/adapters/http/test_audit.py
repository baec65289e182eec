"""Changes over HTTP are recorded with the key that was sent."""

from tests.adapters.http.served import (
    BILLS_ALONE,
    KEY,
    RENT,
    STRANGER,
    TENANCY,
    ask,
    check_problem,
    data_of,
    service,
    with_lease,
)


def test_a_change_is_recorded_with_its_key_and_request() -> None:
    of = service()
    lease_id = with_lease(of, RENT)
    ask(of, "PATCH", f"/leases/{lease_id}", {"purpose": "y"}, headers={"X-Request-Id": "mine"})
    (*_, found) = data_of(ask(of, "GET", f"/audit-records?objectId={lease_id}"))["auditRecords"]

    assert {
        "id": "audit-4",
        "moment": "2026-01-31T12:00:00+00:00",
        "keyId": "all",
        "operation": "change_lease",
        "requestId": "mine",
        "objectType": "Lease",
        "objectId": lease_id,
    } == {name: found[name] for name in found if name not in ("before", "after")}


def test_a_change_that_is_sent_again_is_recorded_once() -> None:
    of = service()
    for _ in range(2):
        ask(of, "POST", "/tenancies", TENANCY, headers={"Idempotency-Key": "one"})

    assert 2 == len(data_of(ask(of, "GET", "/audit-records"))["auditRecords"])


def test_a_refused_change_is_not_recorded() -> None:
    """The tenancy's active lease forbids it, after its draft was archived."""
    of = service()
    with_lease(of)
    ask(of, "POST", "/leases", {"tenancyId": "id-1", "purpose": "x"})
    active = {"contractStart": "2026-01-01", "operationalState": "Active"}
    ask(of, "PATCH", "/leases/id-3", active)
    before = ask(of, "GET", "/audit-records").body
    for headers in ({}, {"Idempotency-Key": "one"}):
        refused = ask(of, "POST", "/tenancies/id-1/archive", headers=headers)
        check_problem(refused, 409, "active_lease")

    assert before == ask(of, "GET", "/audit-records").body


def test_an_owner_sees_its_own_records_with_the_right_for_them() -> None:
    of = service()
    with_lease(of)

    assert 2 == len(data_of(ask(of, "GET", "/audit-records", key=KEY))["auditRecords"])
    assert [] == data_of(ask(of, "GET", "/audit-records", key=STRANGER))["auditRecords"]
    check_problem(ask(of, "GET", "/audit-records", key=BILLS_ALONE), 403, "missing_right")
    check_problem(ask(of, "POST", "/audit-records", {}), 405, "unknown_method")
