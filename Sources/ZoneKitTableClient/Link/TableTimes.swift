import ZoneKitRecords
import ZoneKitRelations
import ZoneKitTables

/// When rows of each table last came from the service, and when it last took rows: the app's value `times`. It is for
/// users only; no rule asks for it.
package struct TableTimes: Hashable, Sendable {
  /// The key of the app value that holds them.
  package static let key = "times"

  /// When the service last answered for rows that the device sent.
  package private(set) var pushed: [Name: WallTime] = [:]
  /// When rows last came.
  package private(set) var pulled: [Name: WallTime] = [:]

  /// No times.
  package init() {}

  /// Reads the text that `text` made; empty for any other.
  package init(_ text: String?) {
    guard let json = text.flatMap({ try? JSON(parsing: $0) }) else { return }
    pushed = Self.times(json["pushed"])
    pulled = Self.times(json["pulled"])
  }

  /// The times as text.
  package var text: String {
    let json: JSON = ["pushed": Self.json(pushed), "pulled": Self.json(pulled)]
    return json.text()
  }

  /// Rows of these tables were moved.
  package mutating func note(_ moved: MovedTables, at now: WallTime) {
    for table in moved.pushed { pushed[table] = now }
    for table in moved.pulled { pulled[table] = now }
  }

  private static func times(_ json: JSON?) -> [Name: WallTime] {
    var times: [Name: WallTime] = [:]
    for member in json?.object ?? [] {
      times[Name(member.key)] = member.value.integer.map { WallTime(milliseconds: $0) }
    }
    return times
  }

  private static func json(_ times: [Name: WallTime]) -> JSON {
    .object(times.keys.sorted().map { JSON.Member($0.text, .integer(times[$0]?.milliseconds ?? 0)) })
  }
}

/// The tables of which rows were sent or received.
package struct MovedTables: Hashable, Sendable {
  /// Those of which the service answered rows that were sent.
  package private(set) var pushed: Set<Name> = []
  /// Those of which rows came.
  package private(set) var pulled: Set<Name> = []

  /// Whether no rows were moved.
  package var isEmpty: Bool { pushed.isEmpty && pulled.isEmpty }

  /// No tables.
  package init() {}

  /// The outcome of a request arrived.
  mutating func note(_ request: RowRequest, _ outcome: RowOutcome) {
    guard case .done(let result) = outcome, result.rows.count > 0 else { return }
    switch request {
    case .read(let table, _, isHead: false): pulled.insert(table)
    case .write(let table, _): pushed.insert(table)
    case .read, .update, .delete: break
    }
  }

  /// The outcome of a request for rows of a user's own schema arrived.
  mutating func note(_ request: RelationRequest, _ outcome: RelationOutcome) {
    guard case .done(let rows) = outcome, !rows.isEmpty else { return }
    if request.isWrite { pushed.insert(Name(request.table)) } else { pulled.insert(Name(request.table)) }
  }
}
