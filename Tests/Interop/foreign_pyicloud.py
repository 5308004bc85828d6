"""The steps of test_foreign_client, in the hands of pyicloud's CloudKit client: foreign_pyicloud.py BASE_URL USER.

It runs in an environment that has pyicloud and nothing of this folder. It prints a line of JSON for each step: its name
and what went wrong, if anything did.
"""

import base64
import json
import sys
import traceback

import requests
from pyicloud.common.cloudkit.client import CloudKitApiError, CloudKitAuthError, CloudKitContainerClient
from pyicloud.common.cloudkit.models import (
    CKErrorItem,
    CKModifyOperation,
    CKRecord,
    CKTombstoneRecord,
    CKZoneChangesZoneReq,
    CKZoneID,
    CKZoneIDReq,
)

ZONE = CKZoneIDReq(zoneName="Foreign")
FIELDS = {
    "title": {"value": "Zoë 👶", "type": "STRING"},
    "count": {"value": 2**53 + 1, "type": "INT64"},
    "ratio": {"value": 0.1, "type": "DOUBLE"},
    "at": {"value": 1767323045000, "type": "TIMESTAMP"},
    "bytes": {"value": base64.b64encode(b"\0\1\2").decode(), "type": "BYTES"},
    "secretEncrypted": {"value": base64.b64encode(b"secret").decode(), "type": "ENCRYPTED_BYTES"},
    "to": {"value": {"recordName": "n-1", "action": "NONE"}, "type": "REFERENCE"},
    "names": {"value": ["a", "b"], "type": "STRING_LIST"},
    "numbers": {"value": [1, 2], "type": "INT64_LIST"},
}


def operation(kind, name, fields=None, tag=None):
    record = {"recordName": name, "recordType": "Note", "fields": fields or {}, "recordChangeTag": tag}
    return CKModifyOperation(operationType=kind, record=record)


def refused(call, kind=CloudKitApiError):
    """The error that a call raises."""
    try:
        call()
    except kind as error:
        return error
    raise AssertionError(f"no {kind.__name__} was raised")


class Steps:
    """Each method is a step; they are taken in the order in which they stand here."""

    def __init__(self, base_url, user):
        self._base_url = base_url
        self._client = self._connect({"ckAPIToken": "t", "ckWebAuthToken": f"user:{user}", "remapEnums": True})

    def _connect(self, parameters):
        return CloudKitContainerClient(self._base_url, requests.Session(), parameters)

    def _modify(self, *operations, atomic=None):
        return self._client.modify(operations=list(operations), zone_id=ZONE, atomic=atomic).records

    def _changes(self, token=None, limit=None):
        request = CKZoneChangesZoneReq(zoneID=CKZoneID(zoneName="Foreign"), syncToken=token)
        return list(self._client.iter_changes(zone_req=request, results_limit=limit))

    def creates_and_lists_zones(self):
        body = {"operations": [{"operationType": "create", "zone": {"zoneID": {"zoneName": "Foreign"}}}]}
        assert self._client.raw_post("/zones/modify", body)["zones"][0]["zoneID"]["zoneName"] == "Foreign"
        zones = self._client.zones_list().zones
        assert [zone.zoneID.zoneName for zone in zones] == ["_defaultZone", "Foreign"], zones
        assert zones[1].syncToken and zones[1].zoneID.ownerRecordName, zones[1]

    def saves_every_type_of_field(self):
        saved = self._modify(operation("create", "n-1", FIELDS))[0]
        assert isinstance(saved, CKRecord), saved
        for name, field in FIELDS.items():
            assert saved.fields.get_field(name).type == field["type"], (name, saved.fields[name])
        assert saved.fields.get_value("count") == 2**53 + 1
        assert saved.fields.get_value("ratio") == 0.1
        assert saved.fields.get_value("title") == "Zoë 👶"
        assert saved.fields.get_value("names") == ["a", "b"]
        assert saved.created.userRecordName and saved.modified.timestamp and saved.recordChangeTag

    def looks_up_what_is_there_and_what_is_not(self):
        found = self._client.lookup(["n-1", "nowhere"], zone_id=ZONE, desired_keys=["title"]).records
        assert isinstance(found[0], CKRecord) and list(found[0].fields) == ["title"], found
        assert isinstance(found[1], CKErrorItem) and found[1].serverErrorCode == "NOT_FOUND", found

    def updates_with_the_right_tag_only(self):
        tag = self._client.lookup(["n-1"], zone_id=ZONE).records[0].recordChangeTag
        update = operation("update", "n-1", {"count": {"value": 4, "type": "INT64"}}, tag)
        assert self._modify(update)[0].fields.get_value("count") == 4
        error = refused(lambda: self._modify(update, atomic=False))
        assert "CONFLICT" in str(error), error

    def sees_an_atomic_failure_as_an_error(self):
        error = refused(lambda: self._modify(operation("create", "n-2"), operation("create", "n-1"), atomic=True))
        codes = [item["serverErrorCode"] for item in error.payload["records"]]
        assert codes == ["ATOMIC_ERROR", "CONFLICT"] and error.payload["serverErrorCode"] == "ATOMIC_ERROR", (
            error.payload
        )

    def reads_the_feed_of_a_zone_page_by_page(self):
        self._modify(*[operation("create", f"m-{number}") for number in range(7)])
        self._modify(operation("forceDelete", "m-3"))
        pages = self._changes(limit=3)
        records = [record for page in pages for record in page.records]
        assert len(pages) == 3 and not pages[-1].moreComing, pages
        assert {record.recordName for record in records} == {"n-1"} | {f"m-{number}" for number in range(7)}
        tombstones = [record.recordName for record in records if isinstance(record, CKTombstoneRecord)]
        assert tombstones == ["m-3"], records
        token = pages[-1].syncToken
        assert [page.records for page in self._changes(token)] == [[]]
        self._modify(operation("forceUpdate", "m-1"))
        assert [record.recordName for page in self._changes(token) for record in page.records] == ["m-1"]

    def hears_of_bad_tokens_and_zones(self):
        assert "BAD_REQUEST" in str(refused(lambda: self._changes("garbage")))
        request = CKZoneChangesZoneReq(zoneID=CKZoneID(zoneName="Nowhere"))
        assert "ZONE_NOT_FOUND" in str(refused(lambda: self._client.changes(zone_req=request)))
        error = refused(lambda: self._client.lookup(["n"], zone_id=CKZoneIDReq(zoneName="Nowhere")))
        assert error.payload["serverErrorCode"] == "ZONE_NOT_FOUND", error.payload

    def reads_the_feed_of_the_database(self):
        changes = self._client.database_changes()
        assert [zone.zoneID.zoneName for zone in changes.zones] == ["Foreign"] and not changes.moreComing, changes
        assert self._client.database_changes(sync_token=changes.syncToken).zones == []
        body = {"operations": [{"operationType": "delete", "zone": {"zoneID": {"zoneName": "Foreign"}}}]}
        self._client.raw_post("/zones/modify", body)
        later = self._client.database_changes(sync_token=changes.syncToken).zones
        assert [(zone.zoneID.zoneName, zone.deleted) for zone in later] == [("Foreign", True)], later

    def hears_that_it_is_not_signed_in(self):
        refused(lambda: self._connect({}).zones_list(), CloudKitAuthError)


def main(base_url, user):
    steps = Steps(base_url, user)
    for name in [name for name in vars(Steps) if not name.startswith("_")]:
        trouble = None
        try:
            getattr(steps, name)()
        except Exception:  # whatever it is, it is this step's result
            trouble = traceback.format_exc()
        print(json.dumps({"step": name, "trouble": trouble}), flush=True)


if __name__ == "__main__":
    main(*sys.argv[1:])
