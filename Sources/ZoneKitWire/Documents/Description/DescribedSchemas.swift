import ZoneKitDocuments
import ZoneKitRecords

/// The schemas of the description: of what all apps have, and of the documents of one app.
struct DescribedSchemas {
  private let schema: DocumentSchema
  private typealias Members = [(key: String, schema: JSON)]

  /// The schemas for documents of that schema.
  init(_ schema: DocumentSchema) { self.schema = schema }

  private static func time(years: String) -> JSON {
    let rest =
      "-[01][0-9]-[0-3][0-9]T[0-2][0-9]:[0-5][0-9]:[0-5][0-9]([.][0-9]{1,9})?(Z|[+-][0-2][0-9]:[0-5][0-9])$"
    return ["type": "string", "format": "date-time", "pattern": .string("^(\(years))\(rest)")]
  }
  private static let largestVersion: JSON = 9_007_199_254_740_991

  private static func opaque(_ start: String) -> JSON {
    ["type": "string", "pattern": .string("^\(start)[A-Za-z0-9_-]{1,252}$")]
  }

  /// All of them by name.
  var all: JSON {
    .object(
      [
        JSON.Member("Id", ["type": "string", "pattern": "^[A-Za-z0-9_-]{1,64}$"]),
        JSON.Member("Time", Self.time(years: "19[7-9][0-9]|2[01][0-9]{2}")),
        // The time of an edit or a pull may be of any year. The server takes the nearest one that documents can have.
        JSON.Member("AnyTime", Self.time(years: "[0-9]{4}")),
        JSON.Member("Tag", ["type": "string", "pattern": "^[0-9a-f]{16}-[1-9][0-9]{0,17}$"]),
        // The first characters of the opaque texts tell for which call they are.
        JSON.Member("Cursor", Self.opaque("0Q[E-H]")), JSON.Member("Page", Self.opaque("0Q[I-LQ-T]")),
        JSON.Member("Token", Self.opaque("0Q[M-P]")),
        JSON.Member("Version", ["type": "integer", "minimum": 0, "maximum": Self.largestVersion]),
        JSON.Member("Count", ["type": "integer", "minimum": 0]),
        JSON.Member("Feed", ["enum": .texts(DocumentFeed.allCases.map(\.rawValue))]),
        JSON.Member(
          "Limit", ["type": "integer", "minimum": 1, "maximum": .integer(Int64(DocumentRequest.itemLimit))]),
        JSON.Member("Collections", collections), JSON.Member("Name", .object(of: name)),
        JSON.Member("Error", error), JSON.Member("Change", change), JSON.Member("Result", result),
        JSON.Member("Conflict", conflict), JSON.Member("ChangeError", changeError),
        JSON.Member("Entry", entry),
      ] + (items + [("Document", document)] + documents).map { JSON.Member($0.key, $0.schema) })
  }

  private var collections: JSON {
    [
      "type": "array", "minItems": 1, "maxItems": .integer(Int64(schema.collections.count)), "uniqueItems": true,
      "items": ["enum": .texts(schema.collections.map(\.name.text))],
    ]
  }

  private var name: Members { [("collection", .reference("Id")), ("documentId", .reference("Id"))] }
  private var place: Members { [("index", .reference("Count"))] + name }
  private var text: JSON { ["type": "string"] }

  // MARK: Errors

  private var error: JSON {
    .object(
      of: [
        ("error", ["enum": .texts(DocumentError.Code.allCases.map(\.rawValue))]), ("cause", text), ("message", text),
        ("requestId", text),
      ],
      optional: [
        ("path", text), ("retryAfterMs", .reference("Count")), ("supported", ["type": "object"]),
        ("deletion", ["enum": .texts(ZoneDeletion.allCases.map(\.rawValue))]), ("deletedAt", .reference("Time")),
      ])
  }

  private var changeError: JSON {
    .object(
      of: place + [
        ("code", ["enum": .texts(ChangeError.Code.allCases.map(\.rawValue))]), ("cause", text), ("message", text),
      ], optional: [("path", text)])
  }

  // MARK: Push

  private var change: JSON {
    // The server checks the data of each change by itself, so it is left open here.
    .object(
      of: [
        ("collection", .reference("Id")),
        ("operation", ["enum": .texts(DocumentChange.Operation.allCases.map(\.rawValue))]),
        ("documentId", .reference("Id")), ("timestamp", .reference("AnyTime")),
      ],
      optional: [
        ("version", .reference("Version")), ("tag", .reference("Tag")), ("data", ["type": ["object", "null"]]),
        ("changeId", ["type": "string", "maxLength": 80]), ("erase", ["type": "boolean"]),
      ])
  }

  private var result: JSON {
    .object(
      of: place + [("outcome", ["enum": ["applied", "conflict", "error"]])],
      optional: [
        ("changed", ["type": "boolean"]), ("version", .reference("Version")), ("tag", .reference("Tag")),
        ("committedAt", .reference("Time")), ("deviceId", text), ("changeId", text),
      ])
  }

  private var conflict: JSON {
    .object(
      of: place + [
        ("clientVersion", .reference("Version")), ("serverVersion", .reference("Version")),
        ("serverData", .nullable(.reference("Document"))),
        ("resolution", ["enum": .texts(ChangeResult.Resolution.allCases.map(\.rawValue))]),
      ])
  }

  /// The answer to a push.
  var pushAnswer: JSON {
    .object(of: [
      ("success", ["type": "boolean"]), ("applied", .array(of: .reference("Id"))),
      ("conflicts", .array(of: .reference("Conflict"))), ("errors", .array(of: .reference("ChangeError"))),
      ("results", .array(of: .reference("Result"))), ("serverTime", .reference("Time")),
    ])
  }

  // MARK: Other answers

  private var entry: JSON {
    .object(
      of: name + [
        ("operation", ["enum": ["upsert", "delete"]]), ("version", .reference("Version")), ("tag", .reference("Tag")),
        ("updatedAt", .reference("Time")), ("data", .nullable(.reference("Document"))),
      ])
  }

  /// The answer to a pull.
  var pullAnswer: JSON {
    .object(of: [
      ("changes", .array(of: .reference("Entry"))), ("serverTime", .reference("Time")),
      ("hasMore", ["type": "boolean"]), ("cursor", .reference("Cursor")),
    ])
  }

  /// The answer with all documents.
  var fullAnswer: JSON {
    let data: JSON = [
      "type": "object",
      "properties": .object(listed.map { JSON.Member($0.name.text, .array(of: .reference(Self.title(of: $0)))) }),
    ]
    return .object(of: [
      ("data", data), ("missing", .array(of: .reference("Name"))), ("serverTime", .reference("Time")),
      ("snapshotSequence", .reference("Version")), ("complete", ["type": "boolean"]),
      ("nextPage", .nullable(.reference("Page"))), ("cursor", .nullable(.reference("Cursor"))),
    ])
  }

  /// The answer with the feeds that changed.
  var statusAnswer: JSON {
    let state: JSON = ["enum": .texts(StatusAnswer.State.allCases.map(\.rawValue))]
    return .object(of: [
      ("serverTime", .reference("Time")), ("user", text), ("hasMore", ["type": "boolean"]),
      ("schema", .object(of: [("min", .reference("Count")), ("max", .reference("Count"))])),
      ("limits", ["type": "object", "additionalProperties": .reference("Count")]),
      (
        "feeds",
        .array(
          of: .object(
            of: [("feed", .reference("Feed")), ("state", state)], optional: [("deletedAt", .reference("Time"))]))
      ),
      ("token", .reference("Token")),
    ])
  }

  // MARK: Documents

  private var listed: [DocumentCollection] { schema.collections + (schema.collection(.conflicts).map { [$0] } ?? []) }

  /// The names of the schemas that all apps have. The schema of a collection with such a name gets another one.
  private static let common: Set<String> = [
    "Id", "Time", "AnyTime", "Tag", "Cursor", "Page", "Token", "Version", "Count", "Feed", "Limit", "Collections",
    "Name", "Error", "Change", "Result", "Conflict", "ChangeError", "Entry", "Item", "Document",
  ]

  private static func title(of collection: DocumentCollection) -> String {
    let title = collection.name.text.prefix(1).uppercased() + collection.name.text.dropFirst()
    return common.contains(title) ? title + "Document" : title
  }

  private var document: JSON { ["anyOf": .array(listed.map { .reference(Self.title(of: $0)) })] }

  private var documents: Members { listed.map { (Self.title(of: $0), document(of: $0)) } }

  private func document(of collection: DocumentCollection) -> JSON {
    var members: Members = [
      ("_id", .reference("Id")), ("userId", text), ("version", .reference("Version")), ("tag", .reference("Tag")),
    ]
    if collection.name != .conflicts {
      members += [("updatedAt", .reference("Time")), ("deletedAt", .nullable(.reference("Time")))]
    }
    members += [("deviceId", text), ("committedAt", .reference("Time"))]
    members += collection.members.map { ($0.name.text, value(of: $0, in: collection)) }
    if let items = collection.items?.items { members.append(("totals", totals(items.amounts))) }
    if schema.summary?.collection == collection.name {
      members += [("totals", totals(schema.summed.names))]
      members += schema.summed.counts.map { ($0.text, .reference("Count")) }
    }
    return .object(of: members)
  }

  /// The schemas of items. If all documents with items have the same, there is one, with the name `Item`.
  private var items: Members {
    var titles: Set<String> = []
    return schema.collections.compactMap { collection in
      let title = itemTitle(of: collection)
      guard let items = collection.items?.items, titles.insert(title).inserted else { return nil }
      return (title, item(items, in: collection))
    }
  }

  private func itemTitle(of collection: DocumentCollection) -> String {
    let isOnly = Set(schema.collections.compactMap { $0.items?.items }).count == 1
    return isOnly ? "Item" : Self.title(of: collection) + "Item"
  }

  private func item(_ items: DocumentItems, in collection: DocumentCollection) -> JSON {
    .object(
      of: [("_id", .reference("Id"))] + items.members.map { ($0.name.text, value(of: $0, in: collection)) } + [
        ("createdAt", .reference("Time")), ("updatedAt", .reference("Time")),
        ("deletedAt", .nullable(.reference("Time"))),
      ])
  }

  private func totals(_ amounts: [Name]) -> JSON { .object(of: amounts.map { ($0.text, .reference("Count")) }) }

  /// The schema of the values of a member. Answers have every member, with null for one that is absent.
  private func value(of member: DocumentMember, in collection: DocumentCollection) -> JSON {
    let value: JSON =
      switch member.kind {
      case .text(let range):
        [
          "type": "string", "minLength": .integer(Int64(range.lowerBound)),
          "maxLength": .integer(Int64(range.upperBound)),
        ]
      case .day: ["type": "string", "format": "date"]
      case .time: .reference("Time")
      case .integer(let range):
        ["type": "integer", "minimum": .integer(range.lowerBound), "maximum": .integer(range.upperBound)]
      case .number(let range):
        ["type": "number", "minimum": .number(range.lowerBound), "maximum": .number(range.upperBound)]
      case .boolean: ["type": "boolean"]
      case .choice(let words): ["enum": .texts(words)]
      case .documentID: .reference("Id")
      case .items: .array(of: .reference(itemTitle(of: collection)))
      }
    return member.isOptional ? .nullable(value) : value
  }
}
