"""The command `audit`: who changed which object of an owner, when, and how.

Law: it reads a database and changes nothing in it, except that it brings it up to this release.
"""

import click

from rentbilling.adapters.cli.input.databases import in_database, opened
from rentbilling.adapters.cli.input.options import form_option


@click.command()
@in_database
@click.option("--owner", required=True, metavar="NAME", help="Whose objects were changed.")
@click.option("--object", "object_id", metavar="ID", help="Only changes of the object of this id.")
@form_option("How they are printed; json has every object before and after.", "table json")
def audit(database: str, owner: str, object_id: str | None, form: str) -> None:
    """List the changes of an owner's objects, oldest first.

    Each has its moment, the id of the key, the operation and the object. A change over HTTP is
    recorded in the transaction that makes it.

    \b
    Try it:
      rentbilling audit --owner acme --object LEASE --format json
    """  # noqa: D301 - click reads the escape
    from rentbilling.adapters.cli.output.printing import printed
    from rentbilling.adapters.cli.output.service.audit import audit_data, audit_table

    with opened(database, creates=False) as place:
        from rentbilling.adapters.stores.owners import all_of
        from rentbilling.interface import AuditRecord

        with place.stores.reading(owner) as store:
            found = [each.record for each in all_of(store, AuditRecord, object_id)]
    of_object = f" of {object_id}" if object_id else ""
    printed(
        form,
        found,
        json=audit_data,
        table=audit_table,
        nothing=f"No changes{of_object} by a key of {owner} in {place.said}.",
    )
