import ZoneKitRecords
import ZoneKitRelations
import ZoneKitTables

/// Sends a batch of records to a table of a user's own schema: new rows with one insert, each changed row with an update of the
/// columns that its user changed, and each deleted one with a delete.
struct TableWriting: ExchangePart {
  /// A request of the batch.
  private enum Work: Sendable {
    /// Inserts the rows of those operations.
    case insert([Int])
    /// Updates the row of that operation.
    case update(Int)
    /// Deletes the row of that operation.
    case delete(Int)
    /// Looks for the row of that operation, which the database has not written for that reason.
    case look(Int, CloudError)
  }

  private(set) var step: ExchangeStep<RelationRequest, CloudResponse> = .answer(.records([]))
  private let context: RelationContext
  private let table: RelationSchema.Table
  private let operations: [RecordOperation]
  /// The keys of the operations' rows.
  private let keys: [[String]]
  /// The results so far, in the order of the operations; nil for those that are open.
  private var results: [RecordResult?]
  /// The requests that are left. The first one is under way.
  private var works: [Work] = []

  /// Begins to send a batch.
  init(_ batch: ModifyRecords, to table: RelationSchema.Table, _ context: RelationContext) {
    self.context = context
    self.table = table
    operations = batch.operations
    keys = operations.map { operation in operation.recordName.flatMap { table.key(ofRecord: $0) } ?? [] }
    results = Array(repeating: nil, count: operations.count)
    var new: [Int] = []
    for (place, operation) in operations.enumerated() {
      guard keys[place].count == table.key.count else {
        results[place] = .failed(
          operation.recordName, CloudError(.invalidArguments, "the record has not the name of a row"))
        continue
      }
      switch operation.kind {
      case .create: new.append(place)
      case .update, .forceUpdate, .replace, .forceReplace: works.append(.update(place))
      case .delete, .forceDelete: works.append(.delete(place))
      }
    }
    if !new.isEmpty { works.insert(.insert(new), at: 0) }
    askNext()
  }

  private mutating func askNext() {
    guard let work = works.first else {
      step = .answer(.records(results.compactMap { $0 }))
      return
    }
    var request: RelationRequest
    switch work {
    case .insert(let places): request = insert(places)
    case .update(let place):
      request = RelationRequest(.update(update(place)), table.name, reading(place))
    case .delete(let place): request = RelationRequest(.delete, table.name, reading(place))
    case .look(let place, _): request = RelationRequest(.read, table.name, reading(place))
    }
    request.isReturning = true
    step = .ask(request)
  }

  private func reading(_ place: Int) -> RelationReading {
    var reading = RelationReading()
    reading.conditions = table.conditions(ofKey: keys[place])
    return reading
  }

  private func insert(_ places: [Int]) -> RelationRequest {
    let rows = places.map { members(of: operations[$0]) }
    let named = Set(rows.flatMap { $0.map(\.key) })
    let columns = table.columns.map(\.name).filter(named.contains)
    return RelationRequest(
      .insert(RelationBody(rows, columns: columns, fillsDefaults: true), nil), table.name)
  }

  private func update(_ place: Int) -> RelationBody {
    let members = members(of: operations[place])
    return RelationBody([members], columns: members.map(\.key))
  }

  /// The columns that an operation names, with their values.
  private func members(of operation: RecordOperation) -> [JSON.Member] {
    operation.fields.compactMap { field -> JSON.Member? in
      guard let column = table.column(field.name.text) else { return nil }
      switch field.change {
      case .set(let value, isTyped: _, isEncrypted: _): return JSON.Member(column.name, column.json(of: value))
      case .clear: return JSON.Member(column.name, .null)
      case .malformed: return nil
      }
    }
  }

  // MARK: Answers

  /// The outcome of a request arrived.
  mutating func received(_ outcome: RelationOutcome) {
    guard let work = works.first else { return }
    switch outcome {
    case .done(let rows):
      do throws(CloudError) {
        var records: [Name: Record] = [:]
        for row in rows {
          let record = try context.record(row, of: table)
          records[record.recordName] = record
        }
        works.removeFirst()
        done(work, records)
        askNext()
      } catch {
        step = .answer(.failure(error))
      }
    case .refused(let refusal): refused(work, CloudError(refusal, about: nil), code: refusal.code)
    case .unanswered(let missing): step = .answer(.failure(CloudError(missing)))
    }
  }

  private mutating func done(_ work: Work, _ records: [Name: Record]) {
    func record(_ place: Int) -> Record? { operations[place].recordName.flatMap { records[$0] } }
    switch work {
    case .insert(let places):
      for place in places { results[place] = record(place).map { .record($0) } ?? unnamed(place) }
    case .update(let place):
      guard let record = record(place) else { return look(place, Self.hidden("update")) }
      results[place] = .record(record)
    case .delete(let place):
      guard record(place) == nil else { return deleted(place) }
      look(place, Self.hidden("delete"))
    case .look(let place, let error): found(place, record(place), after: error)
    }
  }

  private mutating func look(_ place: Int, _ error: CloudError) { works.insert(.look(place, error), at: 0) }

  private mutating func deleted(_ place: Int) { results[place] = operations[place].recordName.map { .deleted($0) } }

  /// The row of an operation was looked for, after a write of it did nothing or failed.
  private mutating func found(_ place: Int, _ record: Record?, after error: CloudError) {
    let name = operations[place].recordName
    switch (operations[place].kind, record) {
    case (.create, let record?) where isWritten(record, by: place): results[place] = .record(record)
    case (.delete, nil), (.forceDelete, nil): deleted(place)
    case (.create, _), (_, .some): results[place] = .failed(name, error)
    case (_, nil): results[place] = .failed(name, CloudError(.unknownItem, "the row is deleted"))
    }
  }

  /// Whether a row has the values of an operation, so that an earlier copy of it was carried out.
  private func isWritten(_ record: Record, by place: Int) -> Bool {
    guard let fields = try? record.fields.decoded() else { return false }
    return operations[place].fields.allSatisfy { field in
      if case .set(let value, isTyped: _, isEncrypted: _) = field.change { fields[field.name] == value } else { true }
    }
  }

  private func unnamed(_ place: Int) -> RecordResult {
    .failed(
      operations[place].recordName, CloudError(.internalError, "\(table.name): the answer to the insert lacks the row"))
  }

  private static func hidden(_ verb: String) -> CloudError {
    CloudError(.permissionFailure, "no policy lets this account \(verb) the row")
  }

  /// The service refused a request. The refusal of one row is its result. That of several rows does not say which one it
  /// means, so they are inserted one by one.
  private mutating func refused(_ work: Work, _ error: CloudError, code: String) {
    switch error.code {
    case .permissionFailure, .referenceViolation, .constraintViolation, .invalidArguments, .limitExceeded: break
    default:
      step = .answer(.failure(error))
      return
    }
    works.removeFirst()
    switch work {
    case .insert(let places) where places.count > 1: works.insert(contentsOf: places.map { .insert([$0]) }, at: 0)
    case .insert(let places) where code == Self.duplicate: look(places[0], error)
    case .insert(let places): fail(places[0], error)
    case .update(let place), .delete(let place), .look(let place, _): fail(place, error)
    }
    askNext()
  }

  /// PostgreSQL's code of a second row with one key.
  private static let duplicate = "23505"

  private mutating func fail(_ place: Int, _ error: CloudError) {
    results[place] = .failed(operations[place].recordName, error)
  }
}
