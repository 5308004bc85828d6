import Testing
import ZoneKitDietLog
import ZoneKitDocuments
import ZoneKitRecords

@testable import ZoneKitWire

@Suite struct `a reply with documents` {
  private let writer = DocumentReplyWriter(DietLog.schema, requestID: "R-1")
  private let time = WallTime(milliseconds: 1_000)
  private let tag = DocumentTag(dataset: 0x9f3c_2a7b_1d0e_4456, sequence: 915)

  private func json(_ response: DocumentResponse) throws -> JSON { try JSON(parsing: writer.reply(response).body) }

  private func weight(_ id: String, isDeleted: Bool = false) -> Document {
    var fields = Fields()
    fields["loggedDate"] = .string("2026-11-21")
    fields["loggedAt"] = .timestamp(time)
    fields["weightG"] = .int64(70_000)
    fields[.documentStamp] = .timestamp(time)
    if isDeleted { fields[.deleted] = .int64(1) }
    return Document(
      DocumentName("weightLogs", id), of: "nanny", version: 4, tag: tag, deviceID: "A",
      committedAt: WallTime(milliseconds: 2_000), fields: fields)
  }

  private var written: JSON {
    [
      "_id": "w", "userId": "nanny", "version": 4, "tag": "9f3c2a7b1d0e4456-915",
      "updatedAt": "1970-01-01T00:00:01.000Z", "deletedAt": .null, "deviceId": "A",
      "committedAt": "1970-01-01T00:00:02.000Z", "loggedDate": "2026-11-21", "loggedAt": "1970-01-01T00:00:01.000Z",
      "weightG": 70_000, "bodyFatPermille": .null, "notes": .null,
    ]
  }

  @Test func `has the results of a push by index and by kind`() throws {
    func change(_ id: String, _ version: Int64? = nil) -> DocumentChange {
      DocumentChange(.update, DocumentName("weightLogs", id), version: version, at: time, changeID: "A:\(id)")
    }
    let version = ChangeResult.Version(number: 2, tag: tag, committedAt: time, deviceID: "A")
    let error = ChangeError(.badDocument, "`weightG` is missing", path: "data.weightG")
    let results = [
      ChangeResult(of: change("a"), .applied(isChanged: true, version)),
      ChangeResult(of: change("b", 3), .conflict(.server, weight("w"), isChanged: false)),
      ChangeResult(of: change("c"), .failed(error)),
      ChangeResult(of: change("d", 1), .conflict(.client, nil, isChanged: false)),
    ]
    func place(_ index: Int64, _ id: String) -> [JSON.Member] {
      [
        JSON.Member("index", .integer(index)), JSON.Member("collection", "weightLogs"),
        JSON.Member("documentId", .string(id)),
      ]
    }
    func item(_ index: Int64, _ id: String, _ more: JSON) -> JSON { .object(place(index, id) + (more.object ?? [])) }
    let expected: JSON = [
      "success": false, "applied": ["a"],
      "conflicts": [
        item(1, "b", ["clientVersion": 3, "serverVersion": 4, "serverData": written, "resolution": "server_wins"]),
        item(3, "d", ["clientVersion": 1, "serverVersion": 0, "serverData": .null, "resolution": "client_wins"]),
      ],
      "errors": [
        item(
          2, "c",
          [
            "code": "bad_document", "cause": "invalidArguments", "message": "`weightG` is missing",
            "path": "changes[2].data.weightG",
          ])
      ], "serverTime": "1970-01-01T00:00:01.000Z",
      "results": [
        item(
          0, "a",
          [
            "outcome": "applied", "changed": true, "version": 2, "tag": "9f3c2a7b1d0e4456-915",
            "committedAt": "1970-01-01T00:00:01.000Z", "deviceId": "A", "changeId": "A:a",
          ]),
        item(
          1, "b",
          [
            "outcome": "conflict", "changed": false, "version": 4, "tag": "9f3c2a7b1d0e4456-915",
            "committedAt": "1970-01-01T00:00:02.000Z", "deviceId": "A", "changeId": "A:b",
          ]), item(2, "c", ["outcome": "error", "changeId": "A:c"]),
        item(3, "d", ["outcome": "conflict", "changed": false, "changeId": "A:d"]),
      ],
    ]
    #expect(try json(.pushed(PushAnswer(results, at: time))) == expected)
  }

  @Test func `has the entries of a feed with their content, and tombstones without`() throws {
    let cursor = DocumentCursor(startOf: .documents, .changes)
    let version = ChangeResult.Version(number: 9, tag: tag, committedAt: time)
    let answer = PullAnswer(
      [
        .document(weight("w")), .document(weight("w", isDeleted: true)),
        .tombstone(DocumentName("families", "f"), version),
      ],
      at: time, hasMore: true, cursor: cursor)
    let read = try json(.pulled(answer))
    let expected: JSON = [
      "collection": "weightLogs", "documentId": "w", "operation": "upsert", "version": 4,
      "tag": "9f3c2a7b1d0e4456-915", "updatedAt": "1970-01-01T00:00:02.000Z", "data": written,
    ]
    #expect(read["changes"]?.array?[0] == expected)
    #expect(read["changes"]?.array?[1]["operation"] == "delete")
    #expect(read["changes"]?.array?[1]["data"]?["deletedAt"] == "1970-01-01T00:00:01.000Z")
    #expect(
      read["changes"]?.array?[2] == [
        "collection": "families", "documentId": "f", "operation": "delete", "version": 9,
        "tag": "9f3c2a7b1d0e4456-915", "updatedAt": "1970-01-01T00:00:01.000Z", "data": .null,
      ])
    #expect(read["hasMore"] == true)
    #expect(read["cursor"]?.string == cursor.text)
  }

  @Test func `has a snapshot by collection`() throws {
    let next = DocumentCursor(startOf: .documents, .snapshot)
    let page = try json(.snapshot(SnapshotAnswer([weight("w")], at: time, end: 7, next: next)))
    #expect(
      page == [
        "data": ["weightLogs": [written]], "missing": [], "serverTime": "1970-01-01T00:00:01.000Z",
        "snapshotSequence": 7, "complete": false, "nextPage": .string(next.text), "cursor": .null,
      ])
    let last = try json(.snapshot(SnapshotAnswer([], at: time, end: 7, cursor: next)))
    #expect(last["complete"] == true)
    #expect(last["cursor"]?.string == next.text)
    let found = try json(.found(LookupAnswer([], missing: [DocumentName("families", "f")], at: time)))
    #expect(found["missing"] == [["collection": "families", "documentId": "f"]])
    #expect(found["complete"] == true)
  }

  @Test func `has the feeds that changed`() throws {
    let position = DocumentPosition()
    let answer = StatusAnswer(
      of: "nanny", [StatusAnswer.Feed(.conflicts, .reset)], hasMore: true, position: position, at: time)
    #expect(
      try json(.status(answer)) == [
        "serverTime": "1970-01-01T00:00:01.000Z", "user": "nanny", "hasMore": true, "schema": ["min": 1, "max": 1],
        "limits": ["changes": 200, "page": 200, "documentBytes": 262_144, "bodyBytes": 8_388_608],
        "feeds": [["feed": "conflicts", "state": "reset"]], "token": .string(position.text),
      ])
  }

  @Test func `names its request, and is never kept by others`() {
    let reply = writer.reply(.found(LookupAnswer([], missing: [], at: time)))
    #expect(reply.status == 200)
    #expect(reply.fields == [HTTPField("Request-Id", "R-1"), HTTPField("Cache-Control", "no-store")])
  }

  // MARK: Errors

  @Test func `of an error has its words, place and the time to wait`() throws {
    let reply = writer.reply(
      .refused(DocumentError(.rateLimited, "too many requests", path: "p", retryAfterMilliseconds: 1_500)))
    #expect(
      try JSON(parsing: reply.body) == [
        "error": "rate_limited", "cause": "requestRateLimited", "message": "too many requests", "requestId": "R-1",
        "path": "p", "retryAfterMs": 1_500,
      ])
    #expect(reply.status == 429)
    #expect(reply.fields.last == HTTPField("Retry-After", "2"))
  }

  @Test func `of a refusal says how to ask`() throws {
    let unknown = writer.reply(.refused(DocumentError(.unauthenticated, "who?")))
    #expect(unknown.status == 401)
    #expect(unknown.fields.last == HTTPField("WWW-Authenticate", "Bearer"))
    let method = writer.reply(refusing: .methods(["GET"]))
    #expect(method.status == 405)
    #expect(method.fields.last == HTTPField("Allow", "GET, OPTIONS"))
    let schema = writer.reply(.refused(DocumentError(.schemaMismatch, "another version")))
    #expect(schema.status == 409)
    #expect(try JSON(parsing: schema.body)["supported"] == ["min": 1, "max": 1])
  }

  @Test(
    arguments: zip(
      DocumentError.Code.allCases,
      [400, 401, 401, 403, 404, 405, 409, 410, 410, 410, 413, 413, 415, 429, 500, 503, 503]))
  func `of an error has the status of its word`(code: DocumentError.Code, status: Int) {
    #expect(writer.reply(.refused(DocumentError(code, "m"))).status == status)
  }
}
