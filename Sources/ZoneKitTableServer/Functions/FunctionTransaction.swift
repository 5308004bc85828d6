import ZoneKitCloud
import ZoneKitRecords
import ZoneKitTables

/// A call of a function with the rows that it reads.
struct FunctionTransaction: ZoneTransaction {
  let app: TableApp
  let function: TableFunction
  let account: UUID
  /// The request's JSON document as text: a request is compared with others, and JSON has no order.
  let argument: [UInt8]

  /// The answer of a call.
  enum Answer: Hashable, Sendable {
    /// The text of the JSON document.
    case done([UInt8])
    case refused(FunctionError)
  }

  var likelyNeeds: [Need] {
    [.zone(ZoneKey(database: app.database(of: account), zoneName: app.zone))]
  }

  func outcome(
    reading reader: inout NotingReader, using generator: inout some RandomNumberGenerator
  ) throws(EvaluationFailure) -> TransactionOutcome {
    var rows: TableFunction.Rows = [:]
    for name in function.tables { rows[name] = try self.rows(of: name, reading: &reader) }
    let answer = answer(rows)
    let size = if case .done(let text) = answer { text.count } else { 0 }
    return TransactionOutcome(TransactionAnswer(answer, size: size))
  }

  private func answer(_ rows: TableFunction.Rows) -> Answer {
    guard let argument = try? JSON(parsing: argument) else { return .refused(.invalid("the body is not JSON")) }
    do throws(FunctionError) {
      return .done(try function.answer(argument, account, rows).bytes())
    } catch {
      return .refused(error)
    }
  }

  /// All rows of a table, also deleted ones.
  private func rows(of name: Name, reading reader: inout NotingReader) throws(EvaluationFailure) -> [Row] {
    guard let table = app.schema.table(name) else { return [] }
    var limits = RowLimits()
    limits.answeredRows = .max
    let reading = RowReading(app: app, table: table, query: RowQuery(), limits: limits)
    do {
      // Rows that are counted are read as values.
      let result = try reading.result(of: [account], RowDemands(countsRows: true), reading: &reader)
      guard case .rows(let rows) = result.rows else { return [] }
      return rows
    } catch {
      switch error {
      case .evaluation(let failure): throw failure
      case .refused: return []
      }
    }
  }
}
