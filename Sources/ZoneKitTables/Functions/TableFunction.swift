public import ZoneKitRecords

/// A function of an app that clients call on the server. It reads rows of the caller's account and changes nothing.
public struct TableFunction: Sendable {
  /// The rows of an account by table, as far as the function reads them.
  public typealias Rows = [Name: [Row]]

  /// The name under which it is called.
  public let name: String
  /// The tables that it reads.
  public let tables: [Name]
  /// Computes what all answers over the same rows have in common.
  public let prepare: @Sendable (Rows) -> Prepared

  /// Computes the answer to the JSON document of an account's request.
  public typealias Prepared = @Sendable (_ argument: JSON, _ account: UUID) throws(FunctionError) -> JSON

  /// A function.
  public init(_ name: String, reading tables: [Name], prepare: @escaping @Sendable (Rows) -> Prepared) {
    self.name = name
    self.tables = tables
    self.prepare = prepare
  }
}

extension TableFunction: Hashable {
  /// Whether both have the same name. An app has one function of a name.
  public static func == (first: TableFunction, second: TableFunction) -> Bool { first.name == second.name }

  /// Hashes the name.
  public func hash(into hasher: inout Hasher) { hasher.combine(name) }
}
