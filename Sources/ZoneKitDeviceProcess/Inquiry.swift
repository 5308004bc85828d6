import ZoneKitDeviceHost
import ZoneKitRecords
import ZoneKitSync
import ZoneKitTableClient
import ZoneKitTables

/// A question that a device has asked a table server beside the coordinator's requests: for the comparison at the end of a
/// migration, or for a rollback. Both ask one question after another.
struct Inquiry {
  /// What it is for.
  enum Purpose {
    case comparison
    case rollback
  }

  /// What is asked.
  enum Question: Equatable {
    /// The number of rows of a table.
    case count(Table)
    /// The rows of a table from that place on.
    case rows(Table, offset: Int)
    /// The removal of a row for good. One that is not there counts as removed.
    case remove(Table, RowKey)
    /// A call of a function.
    case call(MigrationPlan.Question)
  }

  /// What the server answers. Nil for a function that answers with an error.
  enum Answer {
    case count(Int)
    case rows([Row])
    case removed
    case value(JSON?)
  }

  /// Why a question has no answer, as a sentence.
  struct Failure: Error, CustomStringConvertible {
    let description: String
  }

  /// The most rows of one answer.
  static let pageLimit = 1_000

  let purpose: Purpose
  let question: Question
  /// When its time is over.
  let due: MonotonicTime

  /// The request for rows of a question; nil if it is the call of a function.
  static func request(_ question: Question) -> (RowRequest, RowDemands)? {
    switch question {
    case .count(let table): (.read(table.name, RowQuery(limit: 1), isHead: false), RowDemands(countsRows: true))
    case .rows(let table, let offset):
      (
        .read(
          table.name, RowQuery(order: table.key.map { RowQuery.Order($0) }, limit: pageLimit, offset: offset),
          isHead: false), RowDemands()
      )
    case .remove(let table, let key):
      (.delete(table.name, RowQuery(filters: key.filters(in: table))), RowDemands())
    case .call: nil
    }
  }

  /// The answer with that outcome. Throws why there is none.
  func answer(_ outcome: RowOutcome) throws(Failure) -> Answer {
    let result: RowResult
    switch outcome {
    case .done(let done): result = done
    case .refused(let refusal): throw Failure(description: "\(name): \(refusal.message)")
    case .unanswered(let missing): throw Failure(description: "\(name): \(missing.reason)")
    }
    switch question {
    case .count:
      guard let total = result.total else { throw Failure(description: "\(name) cannot be counted") }
      return .count(total)
    case .rows(let table, _):
      do throws(StoreError) {
        return .rows(try result.rows.rows(of: table))
      } catch {
        throw Failure(description: "\(name): \(error)")
      }
    case .remove, .call: return .removed
    }
  }

  /// What is asked, in a word.
  var name: String {
    switch question {
    case .count(let table), .rows(let table, _), .remove(let table, _): "\(table.name)"
    case .call(let call): call.function
    }
  }
}

/// The comparison of a device with the server: the numbers of rows of all tables, then the app's questions.
struct Comparison {
  /// The tables whose rows were not counted yet.
  var tables: ArraySlice<Table>
  /// The numbers of rows.
  var counts: [Name: Int] = [:]
  /// The app's questions without an answer; nil before they are made.
  var questions: ArraySlice<MigrationPlan.Question>?
  /// The answers to the others.
  var answers: [JSON?] = []
  /// Whether the user asked for it, and whether the migration did.
  var isForUser = false
  var isForMigration = false

  /// The next question; nil if there is none, or if the app's are to be made.
  var next: Inquiry.Question? { tables.first.map { .count($0) } ?? questions?.first.map { .call($0) } }

  mutating func received(_ answer: Inquiry.Answer) {
    switch answer {
    case .count(let count): if let table = tables.popFirst() { counts[table.name] = count }
    case .value(let value):
      _ = questions?.popFirst()
      answers.append(value)
    case .rows, .removed: return
    }
  }
}

/// A migration that is being taken back: the server's rows are read if some are to be removed, then these are removed, and
/// at last the device gets the rows of its backup.
struct Rollback {
  /// The store of the backup, and its path.
  let backup: any DeviceStore
  let path: String
  /// The tables whose rows were not read yet.
  var tables: ArraySlice<Table>
  /// The rows that were read; nil if rows on the server are not to be removed.
  var rows: RollbackPlan.Rows?
  /// The plan; nil until the rows are read.
  var plan: RollbackPlan?
  /// The path of the file with what was written since the backup; nil if there is nothing, or until the rows are read.
  var editsPath: String?
  /// Whether the backup's photos, and what was written since, are kept.
  var isPrepared = false
  /// The rows that are to be removed.
  var removals: ArraySlice<RollbackPlan.RowName> = []

  /// The next question; nil if there is none now.
  func next(in schema: TableSchema) -> Inquiry.Question? {
    if let table = tables.first { return .rows(table, offset: rows?[table.name]?.count ?? 0) }
    guard isPrepared, let row = removals.first else { return nil }
    return schema.table(row.table).map { .remove($0, row.key) }
  }

  mutating func received(_ answer: Inquiry.Answer) {
    switch answer {
    case .rows(let page):
      guard let table = tables.first else { return }
      rows?[table.name, default: []] += page
      if page.count < RowContext.leastAnswer { tables = tables.dropFirst() }
    case .removed: removals = removals.dropFirst()
    case .count, .value: return
    }
  }
}
