import ZoneKitRecords
import ZoneKitRelations
import ZoneKitTables

/// Looks rows of a table of a user's own schema up by their keys.
struct TableLookup: ExchangePart {
  private(set) var step: ExchangeStep<RelationRequest, CloudResponse> = .answer(.records([]))
  private let context: RelationContext
  private let table: RelationSchema.Table
  private let names: [Name]
  private var found: [Name: Record] = [:]
  /// The keys that are asked for together. The first ones are under way.
  private var groups: [ArraySlice<[String]>] = []

  /// Begins to look records of those names up.
  init(_ names: [Name], in table: RelationSchema.Table, _ context: RelationContext) {
    self.names = names
    self.table = table
    self.context = context
    var keys = names.compactMap { table.key(ofRecord: $0) }[...]
    while !keys.isEmpty {
      groups.append(keys.prefix(RowLookup.keyLimit))
      keys = keys.dropFirst(RowLookup.keyLimit)
    }
    askNext()
  }

  private mutating func askNext() {
    guard let keys = groups.first else {
      let missing = CloudError(.unknownItem, "there is no such row")
      step = .answer(.records(names.map { name in found[name].map { .record($0) } ?? .failed(name, missing) }))
      return
    }
    var reading = RelationReading()
    reading.conditions = [
      table.key.count == 1
        ? .isIn(RelationField(table.keyColumns[0].name), keys.map { $0[0] })
        : .any(keys.map { .all(table.conditions(ofKey: $0)) })
    ]
    step = .ask(RelationRequest(.read, table.name, reading))
  }

  /// The outcome of a request arrived.
  mutating func received(_ outcome: RelationOutcome) {
    switch outcome {
    case .done(let rows):
      do throws(CloudError) {
        for row in rows {
          let record = try context.record(row, of: table)
          found[record.recordName] = record
        }
        groups.removeFirst()
        askNext()
      } catch {
        step = .answer(.failure(error))
      }
    case .refused(let refusal): step = .answer(.failure(CloudError(refusal, about: table.name)))
    case .unanswered(let missing): step = .answer(.failure(CloudError(missing)))
    }
  }
}
