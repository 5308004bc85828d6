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
  /// What an earlier call has computed; nil for nothing.
  let known: PreparedFunction?

  /// The answer of a call.
  struct Answer: Hashable, Sendable {
    /// The text of the JSON document, or why there is none.
    var text: Result<[UInt8], FunctionError>
    /// What the next call can use; nil if the account has no rows yet.
    var prepared: PreparedFunction?
  }

  var likelyNeeds: [Need] {
    [.zone(ZoneKey(database: app.database(of: account), zoneName: app.zone))]
  }

  func outcome(
    reading reader: inout NotingReader, using generator: inout some RandomNumberGenerator
  ) throws(EvaluationFailure) -> TransactionOutcome {
    let zone = ZoneKey(database: app.database(of: account), zoneName: app.zone)
    let basis = try reader.zone(zone).map { PreparedFunction.Basis(function, of: account, in: $0) }
    let answer: Answer
    if let known, known.basis == basis {
      answer = Answer(text: text(known.answer), prepared: known)
    } else {
      var rows: TableFunction.Rows = [:]
      for name in function.tables { rows[name] = try self.rows(of: name, reading: &reader) }
      let prepared = function.prepare(rows)
      answer = Answer(text: text(prepared), prepared: basis.map { PreparedFunction(basis: $0, answer: prepared) })
    }
    let size = if case .success(let text) = answer.text { text.count } else { 0 }
    return TransactionOutcome(TransactionAnswer(answer, size: size))
  }

  private func text(_ answer: TableFunction.Prepared) -> Result<[UInt8], FunctionError> {
    guard let argument = try? JSON(parsing: argument) else { return .failure(.invalid("the body is not JSON")) }
    do throws(FunctionError) {
      return .success(try answer(argument, account).bytes())
    } catch {
      return .failure(error)
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
