import ZoneKitCloud
import ZoneKitRecords
import ZoneKitTables

/// What a function has computed from the rows of an account, and the state of the rows. While they are the same, the next
/// call need not read them: an app asks for the balance of each person in turn.
package struct PreparedFunction: Sendable {
  /// The state of the rows.
  struct Basis: Hashable, Sendable {
    let function: TableFunction
    let account: UUID
    /// The incarnation of the zone with the rows.
    let incarnation: UInt64
    /// The zone's sequence, which each change of a row raises.
    let sequence: Int64

    /// The state of an account's rows in a zone with that header.
    init(_ function: TableFunction, of account: UUID, in header: ZoneHeader) {
      self.function = function
      self.account = account
      incarnation = header.incarnation
      sequence = header.sequence
    }
  }

  let basis: Basis
  let answer: TableFunction.Prepared
}

extension PreparedFunction: Hashable {
  /// Whether both were computed from the same rows.
  package static func == (first: PreparedFunction, second: PreparedFunction) -> Bool { first.basis == second.basis }

  /// Hashes the state of the rows.
  package func hash(into hasher: inout Hasher) { hasher.combine(basis) }
}
