import ZoneKitRecords
import ZoneKitRelations

/// One thing that a channel asks for when it is joined: the changes of a table, or of all tables with events.
package struct ChannelEntry: Equatable, Sendable {
  /// Which changes are asked for.
  package enum Kind: String, Hashable, Sendable, CaseIterable {
    case insert = "INSERT"
    case update = "UPDATE"
    case delete = "DELETE"
    case any = "*"
  }

  /// Which changes are asked for.
  package var kind: Kind
  /// The table; nil for all tables with events.
  package var table: Name?
  /// The condition on the row; nil for none.
  package var filter: RowFilter?
  /// The condition on a row of a table of a schema of a user's own; nil for none.
  package var condition: RelationCondition?
  /// The columns in the events, besides the key; nil for all.
  package var columns: [Name]?
  /// Why the entry cannot be served; nil if it can.
  package var problem: String?
  /// The members of the entry as the client wrote them, which the answer repeats.
  package var stated: [JSON.Member]

  /// An entry.
  package init(
    _ kind: Kind = .any, table: Name? = nil, filter: RowFilter? = nil, columns: [Name]? = nil, problem: String? = nil,
    stated: [JSON.Member] = []
  ) {
    self.kind = kind
    self.table = table
    self.filter = filter
    self.columns = columns
    self.problem = problem
    self.stated = stated
  }

  /// Whether a change of a row is one that was asked for. The condition is checked on the row after the change, or on
  /// the row that was removed.
  package func matches(_ change: RowChange, of table: Table) -> Bool {
    guard asks(for: change.kind, of: table.name) else { return false }
    guard let filter else { return true }
    guard let row = change.new ?? change.old else { return false }
    return filter.isFulfilled(by: row, of: table)
  }
}

extension ChannelEntry {
  /// Whether it is about such changes of that table.
  package func asks(for kind: RowChange.Kind, of table: Name) -> Bool {
    problem == nil && (self.table == nil || self.table == table) && self.kind.includes(kind)
  }
}

extension ChannelEntry.Kind {
  fileprivate func includes(_ kind: RowChange.Kind) -> Bool {
    switch (self, kind) {
    case (.any, _), (.insert, .insert), (.update, .update), (.delete, .delete): true
    case (.insert, _), (.update, _), (.delete, _): false
    }
  }
}
