import ZoneKitRecords
import ZoneKitTables

/// Looks records up by their keys, table after table.
struct RowLookup: ExchangePart {
  /// The most keys of a request, so that its URL stays short and its answer has all rows.
  static let keyLimit = RowContext.leastAnswer

  private(set) var step: ExchangeStep<RowRequest, CloudResponse>
  private let context: RowContext
  private let names: [Name]
  private var found: [Name: Record] = [:]
  /// The keys that are asked for together. The first ones are under way.
  private var groups: [(table: Table, keys: [RowKey])] = []

  /// Begins to look records of those names up.
  init(_ names: [Name], _ context: RowContext) {
    self.names = names
    self.context = context
    step = .answer(.records([]))
    for table in context.app.schema.tables {
      let keys = names.compactMap { context.app.schema.row(ofRecord: $0) }.filter { $0.table.name == table.name }.map(
        \.key)
      for start in stride(from: 0, to: keys.count, by: Self.keyLimit) {
        groups.append((table, Array(keys[start..<min(start + Self.keyLimit, keys.count)])))
      }
    }
    askNext()
  }

  private mutating func askNext() {
    guard let (table, keys) = groups.first else {
      let missing = CloudError(.unknownItem, "there is no such row")
      step = .answer(.records(names.map { name in found[name].map { .record($0) } ?? .failed(name, missing) }))
      return
    }
    step = .ask(.read(table.name, RowQuery(filters: [Self.filter(keys, of: table)]), isHead: false))
  }

  /// The condition that a row has one of those keys.
  private static func filter(_ keys: [RowKey], of table: Table) -> RowFilter {
    guard table.key.count > 1 else { return .isIn(table.key[0], keys.map { .uuid($0.parts[0]) }) }
    return .any(
      keys.map { key in .all(key.filters(in: table)) })
  }

  /// The outcome of a request arrived.
  mutating func received(_ outcome: RowOutcome) {
    let table = groups[0].table
    switch outcome {
    case .done(let result):
      do throws(CloudError) {
        for row in try context.rows(result.rows, of: table) {
          if let record = context.record(row, of: table) { found[record.recordName] = record }
        }
        groups.removeFirst()
        askNext()
      } catch {
        step = .answer(.failure(error))
      }
    case .refused(let refusal): step = .answer(.failure(CloudError(refusal, about: "\(table.name)")))
    case .unanswered(let missing): step = .answer(.failure(CloudError(missing)))
    }
  }
}
