import ZoneKitCloud
import ZoneKitRecords
import ZoneKitTables

/// What functions know of the rows of the accounts that called them last.
struct FunctionStates {
  private struct Key: Hashable {
    let function: TableFunction
    let account: UUID
  }

  private struct Entry {
    var position: FunctionPosition
    var state: any FunctionState
    /// The number of rows and tombstones that were taken in.
    var rows = 0
    /// The number of the last call.
    var lastCall = 0
  }

  /// The most rows of all accounts together. Beyond it the accounts that called first are forgotten.
  private static let limit = 500_000

  private var entries: [Key: Entry] = [:]
  private var calls = 0

  /// Up to where the rows of a call's account are known; nil for nothing.
  func position(of call: FunctionCall) -> FunctionPosition? {
    entries[Key(function: call.function, account: call.account)]?.position
  }

  /// Changes arrived. Returns false if some changes before them are missing. Throws if a row cannot be read.
  mutating func take(_ changes: FunctionTransaction.Answer, in schema: TableSchema) throws(StoreError) -> Bool {
    let key = Key(function: changes.call.function, account: changes.call.account)
    guard let end = changes.end else {
      entries[key] = nil
      return true
    }
    // Taken out, so that the state is changed in place. Rows that were taken in before are the same once more.
    var entry = entries.removeValue(forKey: key)
    if let start = changes.start {
      guard let known = entry?.position, known.sequence >= start.sequence else { return false }
    } else {
      entry = nil
    }
    var next = entry ?? Entry(position: end, state: key.function.begin())
    for row in changes.page.rows { try next.state.take(row, of: changes.page, in: schema, owner: key.account) }
    next.rows += changes.page.count
    if end.sequence >= next.position.sequence { next.position = end }
    calls += 1
    next.lastCall = calls
    entries[key] = next
    forgetFirst(but: key)
    return true
  }

  /// The answer to a call whose changes were taken in.
  func answer(to call: FunctionCall) -> Result<[UInt8], FunctionError> {
    guard let argument = try? JSON(parsing: call.argument) else { return .failure(.invalid("the body is not JSON")) }
    let known = entries[Key(function: call.function, account: call.account)]?.state
    do throws(FunctionError) {
      return .success(try (known ?? call.function.begin()).answer(to: argument, for: call.account).bytes())
    } catch {
      return .failure(error)
    }
  }

  private mutating func forgetFirst(but key: Key) {
    while entries.count > 1, entries.values.reduce(0, { $0 + $1.rows }) > Self.limit,
      let first = entries.filter({ $0.key != key }).min(by: { $0.value.lastCall < $1.value.lastCall })
    {
      entries[first.key] = nil
    }
  }
}

extension FunctionState {
  /// A row or a tombstone of a page was read.
  fileprivate mutating func take(
    _ entry: RecordPage.Row, of page: RecordPage, in schema: TableSchema, owner: UUID
  ) throws(StoreError) {
    guard let (table, key) = schema.row(ofRecord: Name(page.text(entry.name))) else { return }
    guard !entry.isDeleted else { return remove(key, from: table.name) }
    put(try Row.read(RowRecord(entry, of: page), in: page.bytes, of: table, owner: owner).row, of: table.name)
  }
}
