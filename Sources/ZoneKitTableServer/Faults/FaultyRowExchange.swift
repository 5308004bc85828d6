import ZoneKitCloud
import ZoneKitRecords
import ZoneKitTables

/// A request for rows that faults hit: what reaches the rows, and what the client gets as the answer.
///
/// A driver carries `request` out `faults.applications` times with `limits`, turns the last answer into the client's with
/// `answer`, and sends it `faults.delayMilliseconds` later.
package struct FaultyRowExchange: Hashable, Sendable {
  /// The faults.
  package let faults: RequestFaults
  private let asked: RowRequest
  private let table: Table?
  private let now: WallTime

  /// A request that those faults hit at that time.
  package init(_ asked: RowRequest, _ faults: RequestFaults, schema: TableSchema, at now: WallTime) {
    self.asked = asked
    self.faults = faults
    self.now = now
    table = OwnTable(asked.table)?.table ?? schema.table(asked.table)
  }

  /// The request that reaches the rows; nil for none.
  package var request: RowRequest? {
    guard faults.applications > 0, !faults.contains(.expireTokens) else { return nil }
    guard case .read(let name, var query, let isHead) = asked, let newest else { return asked }
    query.filters.append(.compare(.updatedAt, .lessOrEqual, .timestamp(newest)))
    return .read(name, query, isHead: isHead)
  }

  /// The newest stamp that is shown; nil if all are.
  private var newest: WallTime? {
    guard table?.place(of: .updatedAt) != nil else { return nil }
    return faults.staleness.map { now.advanced(byMilliseconds: -$0) }
  }

  /// The limits with which the request is carried out.
  package func limits(_ usual: RowLimits) -> RowLimits {
    var limits = usual
    limits.stampLead -= faults.stampCut
    return limits
  }

  /// The answer to the client, given the rows' last answer (nil if there was none). Nil if no answer is sent.
  package func answer(to response: RowResponse?) -> RowResponse? {
    guard !faults.losesAnswer else { return nil }
    if let refusal = faults.refusal { return .refused(RowError(refusal)) }
    if faults.contains(.expireTokens) { return .refused(RowError(.expiredToken, "JWT expired")) }
    guard case .done(var result)? = response else { return response }
    if let newest, let shown = result.feed?.newest { result.feed?.newest = min(shown, newest) }
    for part in faults.parts {
      switch part.action {
      case .omitRows: result.rows = repeating(result.rows) { part.scope.includes(record: $0) ? 0 : 1 }
      case .doubleRows: result.rows = repeating(result.rows) { part.scope.includes(record: $0) ? 2 : 1 }
      case .reject, .rejectItems, .staleRows, .cutSocket, .silentJoin, .refuseJoin, .deafJoin, .muteHeartbeat,
        .expireTokens, .endSession, .skewTokens, .restamp:
        break
      }
    }
    return .done(result)
  }

  /// The rows, each repeated as `count` returns for its record.
  private func repeating(_ rows: RowSet, _ count: (Name) -> Int) -> RowSet {
    switch rows {
    case .page(let page, let owner): return .page(page.repeating(count), owner: owner)
    case .rows(let rows):
      return .rows(
        rows.flatMap { row in
          guard let table, let key = RowKey(row, of: table) else { return [row] }
          return Array(repeating: row, count: count(key.recordName(in: table.name)))
        })
    }
  }
}
