public import ZoneKitRecords

/// A function of an app that clients call on the server. It reads rows of the caller's account and changes nothing.
public struct TableFunction: Sendable {
  /// The rows of an account by table, as far as the function reads them.
  public typealias Rows = [Name: [Row]]

  /// The name under which it is called.
  public let name: String
  /// The tables that it reads.
  public let tables: [Name]
  /// Computes the answer to the JSON document of a request from the rows of the account.
  public let answer: @Sendable (_ argument: JSON, _ account: UUID, Rows) throws(FunctionError) -> JSON

  /// A function.
  public init(
    _ name: String, reading tables: [Name],
    answer: @escaping @Sendable (_ argument: JSON, _ account: UUID, Rows) throws(FunctionError) -> JSON
  ) {
    self.name = name
    self.tables = tables
    self.answer = answer
  }
}

extension TableFunction: Hashable {
  /// Whether both have the same name. An app has one function of a name.
  public static func == (first: TableFunction, second: TableFunction) -> Bool { first.name == second.name }

  /// Hashes the name.
  public func hash(into hasher: inout Hasher) { hasher.combine(name) }
}
