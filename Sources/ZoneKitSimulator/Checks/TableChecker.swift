import ZoneKitRecords
import ZoneKitTableServer
import ZoneKitTables

/// What a service of tables sends: the stamps that it serves to an account rise, and no row of one account reaches
/// another.
package struct TableChecker: Sendable {
  /// The newest stamp that was served to each account.
  private var newest: [UUID: WallTime] = [:]

  /// A checker at the start.
  package init() {}

  /// Changes were committed. Returns the violation; nil for none.
  package mutating func committed(_ changes: AccountChanges) -> Finding? {
    for change in changes.changes {
      let before = newest.updateValue(change.stamp, forKey: changes.account)
      guard let before, change.stamp <= before else { continue }
      return Finding(
        .stamp,
        "\(change.table)/\(change.key.text) is served with stamp \(change.stamp.iso8601), and \(before.iso8601) was before"
      )
    }
    return nil
  }

  /// The violation in changes with an edit stamp that is farther ahead than a service lets it be; nil for none.
  package static func stampAhead(in changes: AccountChanges, _ schema: TableSchema) -> Finding? {
    for change in changes.changes {
      guard let table = schema.table(change.table), let stamp = change.new?[.editedAt, table].time,
        stamp > change.stamp.advanced(byMilliseconds: RowLimits().stampLead)
      else { continue }
      return Finding(.stamp, "\(change.table)/\(change.key.text) is kept with the edit stamp \(stamp.iso8601)")
    }
    return nil
  }

  /// The violation in an answer with rows of that table to an account, nil for nobody; nil for none.
  package static func finding(in answer: RowResponse, of table: Table, to account: UUID?) -> Finding? {
    guard case .done(let result) = answer else { return nil }
    switch result.rows {
    case .page(_, let owner): return owner == account ? nil : finding(table, owner, account)
    case .rows(let rows):
      let owners = rows.compactMap { owner(of: $0, table) }
      return owners.first { $0 != account }.flatMap { finding(table, $0, account) }
    }
  }

  /// The violation in an event that is sent to a channel of that account, nil for nobody; nil for none.
  package static func finding(in change: RowChange, of table: Table, to account: UUID?) -> Finding? {
    let owners = [change.old, change.new].compactMap { $0 }.compactMap { owner(of: $0, table) }
    return owners.first { $0 != account }.flatMap { finding(table, $0, account) }
  }

  private static func owner(of row: Row, _ table: Table) -> UUID? {
    guard case .account(let column) = table.ownership else { return nil }
    return row[column, table].uuid
  }

  private static func finding(_ table: Table, _ owner: UUID, _ account: UUID?) -> Finding {
    Finding(.account, "a row of \(table.name) of account \(owner.text) goes to \(account?.text ?? "nobody")")
  }
}
