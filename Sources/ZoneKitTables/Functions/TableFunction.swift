import ZoneKitRecords

/// A function of an app that clients call on the server. It reads rows of the caller's account and changes nothing.
package struct TableFunction: Sendable {
  /// The rows of an account by table, as far as the function reads them.
  package typealias Rows = [Name: [Row]]

  /// The name under which it is called.
  package let name: String
  /// The tables that it reads.
  package let tables: [Name]
  /// What the function knows of an account without rows. The server keeps it for each account and brings it up to date with
  /// the rows that changed.
  package let begin: @Sendable () -> any FunctionState

  /// A function.
  package init(_ name: String, reading tables: [Name], begin: @escaping @Sendable () -> any FunctionState) {
    self.name = name
    self.tables = tables
    self.begin = begin
  }

  /// What the function knows of an account with those rows.
  package func state(over rows: Rows) -> any FunctionState {
    var state = begin()
    for name in tables {
      for row in rows[name] ?? [] { state.put(row, of: name) }
    }
    return state
  }
}

extension TableFunction: Hashable {
  /// Whether both have the same name. An app has one function of a name.
  package static func == (first: TableFunction, second: TableFunction) -> Bool { first.name == second.name }

  /// Hashes the name.
  package func hash(into hasher: inout Hasher) { hasher.combine(name) }
}
