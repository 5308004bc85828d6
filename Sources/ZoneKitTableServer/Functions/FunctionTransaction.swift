import ZoneKitCloud
import ZoneKitRecords
import ZoneKitTables

/// Reads what changed in the rows of a function since its last call. One that reads much is continued in later turns.
struct FunctionTransaction: ZoneTransaction {
  let app: TableApp
  let call: FunctionCall
  /// Up to where the rows are known; nil for nothing.
  let known: FunctionPosition?
  /// The most rows of one turn. Other clients wait while they are read.
  let pageRows: Int

  /// The changes that a transaction read.
  struct Answer: Hashable, Sendable {
    var call: FunctionCall
    /// Up to where the rows were known before; nil if the changes are all rows.
    var start: FunctionPosition?
    /// The rows and tombstones.
    var page: RecordPage
    /// Up to where the rows are known with them; nil if the account has no rows yet.
    var end: FunctionPosition?
    /// Whether there are more changes.
    var moreComing: Bool
  }

  private var key: ZoneKey { ZoneKey(database: app.database(of: call.account), zoneName: app.zone) }

  var likelyNeeds: [Need] { [.zone(key)] }

  func outcome(
    reading reader: inout NotingReader, using generator: inout some RandomNumberGenerator
  ) throws(EvaluationFailure) -> TransactionOutcome {
    var answer = Answer(call: call, start: nil, page: RecordPage(), end: nil, moreComing: false)
    if let header = try reader.zone(key), !header.isDeleted {
      answer.start = known.flatMap { $0.isContinued(by: header) ? $0 : nil }
      let start = answer.start?.sequence ?? 0
      var end = FunctionPosition(incarnation: header.incarnation, sequence: header.sequence)
      if start < header.sequence {
        let query = FeedQuery(
          position: start, isReversed: false, limit: pageRows, recordTypes: call.function.tables)
        let page = try reader.content(of: key).feed(query)
        (answer.page, answer.moreComing) = (page.page, page.moreComing)
        if page.moreComing { end.sequence = page.position }
      }
      answer.end = end
    }
    return TransactionOutcome(TransactionAnswer(answer, size: 0))
  }
}
