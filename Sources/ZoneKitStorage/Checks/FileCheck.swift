import ZoneKitRecords

/// Collects the faults of one SQLite file.
struct FileCheck {
  /// The path of the file.
  let place: String
  private let connection: Connection
  /// The faults so far.
  private(set) var faults: [FileFault] = []

  /// The most faults that SQLite's own check reports of a file.
  private static let integrityLimit = 20

  /// A check of that file.
  init(of connection: Connection) {
    place = connection.path
    self.connection = connection
  }

  /// Adds a fault.
  mutating func add(_ message: String) { faults.append(FileFault(message, at: place)) }

  /// Runs a part of the check. An error becomes a fault.
  mutating func attempt(_ part: (inout FileCheck) throws(StoreError) -> Void) {
    do {
      try part(&self)
    } catch {
      if !faults.contains(where: { $0.message == error.message }) { add(error.message) }
    }
  }

  /// Runs SQLite's own check (SQLite: pragma.html, integrity_check).
  mutating func checkIntegrity() { check(by: "PRAGMA integrity_check(\(Self.integrityLimit))") }

  /// Runs SQLite's own check without that of the order of indexes (SQLite: pragma.html, quick_check).
  mutating func checkPages() { check(by: "PRAGMA quick_check(\(Self.integrityLimit))") }

  private mutating func check(by sql: String) {
    attempt { (check) throws(StoreError) in
      let statement = Statement(sql, on: check.connection)
      for line in try statement.all(read: { $0.text(0) }) where line != "ok" { check.add("integrity check: \(line)") }
    }
  }

  /// Adds a fault if `sql` counts any rows. `what` follows their number in the message.
  mutating func expectNone(_ sql: String, _ what: String) {
    attempt { (check) throws(StoreError) in
      let count = try Statement(sql, on: check.connection).first { $0.integer(0) } ?? 0
      if count > 0 { check.add("\(count) \(what)") }
    }
  }
}
