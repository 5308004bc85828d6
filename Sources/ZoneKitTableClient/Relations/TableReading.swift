import ZoneKitRecords
import ZoneKitRelations
import ZoneKitTables

/// Reads one page of a table of a user's own schema: its rows in the order of their keys.
///
/// A database has no feed of changes, so the rows of a whole round are all that there are. The token is the key of the last row;
/// that of a finished round stands for the beginning.
struct TableReading: ExchangePart {
  private(set) var step: ExchangeStep<RelationRequest, Result<ZoneChangesResult, CloudError>>
  private let query: ZoneChangesQuery
  private let context: RelationContext
  /// The table; nil if the zone is none.
  private let table: RelationSchema.Table?

  /// Begins to read the page after the query's token.
  init(_ query: ZoneChangesQuery, _ context: RelationContext) {
    self.query = query
    self.context = context
    let table: RelationSchema.Table
    do throws(CloudError) {
      table = try context.table(of: query.zoneID)
    } catch {
      self.table = nil
      step = .page(.failed(query.zoneID, error))
      return
    }
    self.table = table
    var reading = RelationReading()
    reading.order = table.keyColumns.map { RelationOrder(RelationField($0.name)) }
    reading.limit = query.limit
    if let token = query.token?.unlessEmpty, token != Self.finished {
      guard let key = Self.key(token), key.count == table.key.count else {
        let error = CloudError(.changeTokenExpired, "\(table.name): the token is not from a table of this form")
        step = .page(.failed(query.zoneID, error))
        return
      }
      reading.conditions = [Self.condition(after: key, in: table)]
    }
    step = .ask(RelationRequest(.read, table.name, reading))
  }

  /// The condition that a row comes after the one with that key.
  private static func condition(after key: [String], in table: RelationSchema.Table) -> RelationCondition {
    let fields = table.keyColumns.map { RelationField($0.name) }
    let later = key.indices.map { place -> RelationCondition in
      let equal = (0..<place).map { RelationCondition.compare(fields[$0], .equal, key[$0]) }
      let greater = RelationCondition.compare(fields[place], .greater, key[place])
      return equal.isEmpty ? greater : .all(equal + [greater])
    }
    return later.count == 1 ? later[0] : .any(later)
  }

  /// The outcome of the request arrived.
  mutating func received(_ outcome: RelationOutcome) {
    guard let table else { return }
    switch outcome {
    case .done(let rows):
      do throws(CloudError) {
        step = .page(.changes(try page(rows, of: table)))
      } catch {
        step = .failed(error)
      }
    case .refused(let refusal):
      let error = CloudError(refusal, about: table.name)
      // The other tables may be readable. A policy that cannot be carried out is an error of the server.
      let isOfTable = (400...500).contains(refusal.status) && ![401, 429].contains(refusal.status)
      step = isOfTable ? .page(.failed(query.zoneID, error)) : .failed(error)
    case .unanswered(let missing): step = .failed(CloudError(missing))
    }
  }

  private func page(_ rows: [[JSON.Member]], of table: RelationSchema.Table) throws(CloudError) -> ZoneChanges {
    let records = try rows.map { (row) throws(CloudError) in try context.record(row, of: table) }
    // A service may send fewer rows than it was asked for.
    let moreComing = rows.count >= min(query.limit, RowContext.leastAnswer)
    var token = Self.finished
    if moreComing, let last = records.last, let key = table.key(ofRecord: last.recordName) { token = Self.token(key) }
    return ZoneChanges(
      zoneID: query.zoneID, page: RecordPage(records.map { .saved($0) }), token: token, moreComing: moreComing)
  }

  // MARK: Tokens

  /// The token of a round that is read to its end.
  static let finished = ChangeToken("\(prefix)end")

  private static let prefix = "p1."

  private static func token(_ key: [String]) -> ChangeToken {
    ChangeToken(prefix + Base64.encodeForURL(JSON.array(key.map { .string($0) }).bytes()))
  }

  /// The key in a token; nil if it has none.
  private static func key(_ token: ChangeToken) -> [String]? {
    guard token.text.hasPrefix(prefix), let bytes = Base64.decodeFromURL(token.text.dropFirst(prefix.count)),
      let parts = (try? JSON(parsing: bytes))?.array
    else { return nil }
    let texts = parts.compactMap(\.string)
    return texts.count == parts.count ? texts : nil
  }
}
