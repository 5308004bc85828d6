import ZoneKitRecords
import ZoneKitTables

/// What a device fetches for a change event, and how long it waits for more of them.
struct ChangeHints: Hashable, Sendable {
  /// How many events within `bulkWindow` are more than a person makes.
  static let bulkCount = 50
  /// The time in which events are counted, in milliseconds.
  static let bulkWindow: Int64 = 1_000
  /// The time without an event after which many of them are over, in milliseconds.
  static let bulkEnd: Int64 = 3_000
  /// The pause after an event about a table of a user's own, in milliseconds.
  static let quiet: Int64 = 250
  /// The longest wait for further events, in milliseconds.
  static let limit: Int64 = 1_000
  /// The pause and the longest wait while many events come, in milliseconds.
  static let bulk = (quiet: Int64(1_000), limit: Int64(3_000))

  private let schema: TableSchema
  /// The times of the last events, at most `bulkCount`.
  private var recent: [MonotonicTime] = []
  /// Whether many events come.
  private var isBulk = false

  init(schema: TableSchema) { self.schema = schema }

  /// The hint for an event about a row of that table; about any table if nil.
  mutating func hint(for table: Table?, at now: MonotonicTime) -> PushHint {
    count(at: now)
    let quiet = table?.quiet ?? Self.bulk.quiet
    let types = table.map { related(to: $0.name) }
    guard !isBulk else { return PushHint(types: types, quiet: Self.bulk.quiet, limit: Self.bulk.limit) }
    return PushHint(types: types, quiet: quiet, limit: quiet == 0 ? 0 : Self.limit)
  }

  /// The hint for an event about a table of a user's own, which names the only zone to fetch.
  mutating func hint(at now: MonotonicTime) -> PushHint {
    count(at: now)
    return isBulk
      ? PushHint(quiet: Self.bulk.quiet, limit: Self.bulk.limit) : PushHint(quiet: Self.quiet, limit: Self.limit)
  }

  private mutating func count(at now: MonotonicTime) {
    if let last = recent.last, last.advanced(byMilliseconds: Self.bulkEnd) <= now { isBulk = false }
    recent.append(now)
    if recent.count > Self.bulkCount {
      let first = recent.removeFirst()
      if first.advanced(byMilliseconds: Self.bulkWindow) > now { isBulk = true }
    }
  }

  /// A table, the tables that it owns, and all that these refer to, all the way up, in the order of the schema. So no row
  /// comes before those that it names.
  private func related(to name: Name) -> [Name] {
    var found = Set([name] + schema.owned(by: name).map(\.table.name))
    for table in schema.tables.reversed() where found.contains(table.name) {
      found.formUnion(table.columns.compactMap { $0.foreignKey?.table })
    }
    return schema.tables.map(\.name).filter(found.contains)
  }
}
