import ZoneKitRecords
import ZoneKitTables

/// Sends a batch of records as one upsert for each table, and turns the verdicts into results.
struct RowSending: ExchangePart {
  private(set) var step: ExchangeStep<RowRequest, CloudResponse>
  private let context: RowContext
  private let operations: [RecordOperation]
  /// The results so far, in the order of the operations; nil for those that are open.
  private var results: [RecordResult?]
  /// The rows that are sent together, table after table, with the places of their operations. The first ones are under
  /// way.
  private var groups: [(table: Table, places: [Int], rows: [RowContent])] = []

  /// Begins to send a batch.
  init(_ batch: ModifyRecords, _ context: RowContext) {
    self.context = context
    operations = batch.operations
    results = Array(repeating: nil, count: operations.count)
    step = .answer(.records([]))
    for (place, operation) in operations.enumerated() {
      guard let name = operation.recordName, let row = context.app.schema.row(ofRecord: name) else {
        results[place] = .failed(
          operation.recordName, CloudError(.invalidArguments, "the record has not the name of a row"))
        continue
      }
      switch operation.kind {
      case .create, .update, .forceUpdate, .replace, .forceReplace: break
      case .delete, .forceDelete:
        results[place] = .failed(
          name, CloudError(.serverRejectedRequest, "rows are deleted by a time in \(Name.deletedAt)"))
        continue
      }
      do throws(StoreError) {
        add(try content(of: operation, row.key, in: row.table), at: place, to: row.table)
      } catch {
        results[place] = .failed(name, CloudError(.invalidArguments, "\(error)"))
      }
    }
    askNext()
  }

  private mutating func add(_ content: RowContent, at place: Int, to table: Table) {
    if let group = groups.firstIndex(where: { $0.table.name == table.name }) {
      groups[group].places.append(place)
      groups[group].rows.append(content)
    } else {
      groups.append((table, [place], [content]))
    }
  }

  private mutating func askNext() {
    guard let group = groups.first else {
      step = .answer(.records(results.compactMap { $0 }))
      return
    }
    step = .ask(.write(group.table.name, RowWrite(group.rows, resolution: .merge)))
  }

  /// All columns of the row that an operation saves.
  private func content(
    of operation: RecordOperation, _ key: RowKey, in table: Table
  ) throws(StoreError) -> RowContent {
    var fields = Fields()
    for field in operation.fields {
      if case .set(let value, isTyped: _, isEncrypted: _) = field.change { fields[field.name] = value }
    }
    let none = WallTime(milliseconds: 0)
    let row = try Row.read(
      fields: EncodedFields(fields), updatedAt: none, deviceID: context.deviceID, of: table, owner: context.account
    ).row
    var content = RowContent([:])
    for (place, column) in table.columns.enumerated() { content[column.name] = row.values[place] }
    for (column, part) in zip(table.key, key.parts) { content[column] = .uuid(part) }
    content[.updatedAt] = operation.changeTag?.stamp.map { .timestamp($0) } ?? .null
    content[.changedBy] = .text(
      RowRevision(deviceID: context.deviceID, revision: operation.revision ?? 0).text)
    return content
  }

  /// The outcome of an upsert arrived.
  mutating func received(_ outcome: RowOutcome) {
    switch outcome {
    case .done(let result):
      do throws(CloudError) {
        try take(result)
        groups.removeFirst()
        askNext()
      } catch {
        step = .answer(.failure(error))
      }
    case .refused(let refusal): refused(CloudError(refusal, about: nil))
    case .unanswered(let missing): step = .answer(.failure(CloudError(missing)))
    }
  }

  private mutating func take(_ result: RowResult) throws(CloudError) {
    let (table, places, sent) = groups[0]
    var rows: [RowKey: Row] = [:]
    for row in try context.rows(result.rows, of: table) {
      if let key = RowKey(row, of: table) { rows[key] = row }
    }
    for (index, place) in places.enumerated() {
      let name = operations[place].recordName
      guard let key = sent[index].key(of: table), let row = rows[key], let record = context.record(row, of: table)
      else {
        results[place] = .failed(name, CloudError(.internalError, "the service did not answer with the row"))
        continue
      }
      let isKept =
        result.verdicts.count == places.count
        ? result.verdicts[index] == .kept : !isSent(sent[index], as: row, in: table)
      results[place] = isKept ? .kept(record) : .record(record)
    }
  }

  /// Whether a row has the content that was sent. A service without verdicts says so only by the row.
  private func isSent(_ content: RowContent, as row: Row, in table: Table) -> Bool {
    RowOrder.isContentEqual(Row(table.columns.map { content[$0.name] ?? .null }), row, in: table)
  }

  /// The service refused an upsert. The refusal of one row is its result. A refusal of several rows does not
  /// say which one it means, so the coordinator sends fewer of them.
  private mutating func refused(_ error: CloudError) {
    let places = groups[0].places
    let isAboutRows =
      switch error.code {
      case .permissionFailure, .referenceViolation, .constraintViolation, .invalidArguments, .limitExceeded: true
      default: false
      }
    guard isAboutRows else {
      step = .answer(.failure(error))
      return
    }
    if places.count == 1 {
      results[places[0]] = .failed(operations[places[0]].recordName, error)
    } else if operations.count == places.count {
      step = .answer(.failure(error))
      return
    } else {
      let reason = CloudError(.batchRequestFailed, error.reason)
      for place in places { results[place] = .failed(operations[place].recordName, reason) }
    }
    groups.removeFirst()
    askNext()
  }
}
