import Testing
import ZoneKitRecords
import ZoneKitRelations
import ZoneKitTables

@testable import ZoneKitTableClient

@Suite struct `the events of a user's own tables` {
  private static let table = RelationSchema.Table(
    "notes", [RelationSchema.Column("id", .integer), RelationSchema.Column("title", .text)], key: [0],
    isPublished: true)
  private var events = RelationEvents(
    RelationSchema([table, RelationSchema.Table("quiet", table.columns, key: [0], isPublished: false)]))

  private static func data(_ type: String, _ record: JSON, old: JSON = ["id": 7]) -> JSON {
    [
      "type": .string(type), "table": "notes", "commit_timestamp": "2026-11-28T10:00:00.250Z", "record": record,
      "old_record": old,
    ]
  }

  private static let row: JSON = ["id": 7, "title": "Milk"]

  private func push(_ event: RelationEvents.Event) -> PushNotification? {
    if case .change(let push) = event { push } else { nil }
  }

  @Test func `are asked for of published tables`() {
    #expect(events.entries.map { $0["table"]?.string } == ["notes"])
  }

  @Test mutating func `name the table to fetch and the time of the commit`() {
    let push = push(events.event(Self.data("INSERT", Self.row), of: "notes"))
    #expect(push?.zoneID == ZoneID(zoneName: "notes"))
    #expect(push?.notificationID == "notes/7@2026-11-28T10:00:00.250Z")
    #expect(push?.committedAt == WallTime(iso8601: "2026-11-28T10:00:00.250Z"))
    #expect(events.commits.values.map(\.iso8601) == ["2026-11-28T10:00:00.250Z"])
  }

  @Test mutating func `about what this device wrote bring nothing, once`() {
    let write = RelationRequest(.update(RelationBody([], columns: [])), "notes")
    events.answered(write, .done([Self.row.object ?? []]))
    guard case .ownEcho = events.event(Self.data("UPDATE", Self.row), of: "notes") else {
      return #expect(Bool(false), "the event is not recognised")
    }
    #expect(push(events.event(Self.data("UPDATE", Self.row), of: "notes")) != nil)
  }

  @Test mutating func `about a deletion of this device bring nothing, those of others do`() {
    events.answered(RelationRequest(.delete, "notes"), .done([Self.row.object ?? []]))
    #expect(push(events.event(Self.data("DELETE", .object([]), old: ["id": 8]), of: "notes")) != nil)
    guard case .ownEcho = events.event(Self.data("DELETE", .object([])), of: "notes") else {
      return #expect(Bool(false), "the event is not recognised")
    }
  }

  @Test mutating func `of an unknown table are ignored`() {
    guard case .unknownTable = events.event(Self.data("INSERT", Self.row), of: "other") else {
      return #expect(Bool(false), "the table is known")
    }
  }

  @Test mutating func `remember a limited number of versions`() {
    let write = RelationRequest(.update(RelationBody([], columns: [])), "notes")
    for number in 0..<(RelationEvents.limit + 5) {
      let row: JSON = ["id": .integer(Int64(number)), "title": "Milk"]
      events.answered(write, .done([row.object ?? []]))
      _ = events.event(Self.data("INSERT", ["id": .integer(Int64(10_000 + number)), "title": "x"]), of: "notes")
    }
    #expect(events.commits.count == RelationEvents.limit)
    #expect(push(events.event(Self.data("UPDATE", ["id": 4, "title": "Milk"]), of: "notes")) != nil)
    #expect(push(events.event(Self.data("UPDATE", ["id": 5, "title": "Milk"]), of: "notes")) == nil)
  }
}
