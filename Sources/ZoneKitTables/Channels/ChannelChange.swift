import ZoneKitRecords
import ZoneKitRelations

/// A committed change of a row on its way to channels.
package enum ChannelChange: Equatable, Sendable {
  /// A change of a row of an app's table.
  case row(RowChange)
  /// A change of a row of a table of a schema of a user's own.
  case relation(RelationEvent)

  /// The table.
  package var table: Name {
    switch self {
    case .row(let change): change.table
    case .relation(let event): Name(event.table)
    }
  }

  /// The name of the row among those of all tables.
  package var recordName: Name {
    switch self {
    case .row(let change): change.key.recordName(in: change.table)
    case .relation(let event): event.recordName
    }
  }

  /// What happened to the row.
  package var kind: RowChange.Kind {
    switch self {
    case .row(let change): change.kind
    case .relation(let event): event.new == nil ? .delete : event.old == nil ? .insert : .update
    }
  }

  /// The time of the change.
  package var stamp: WallTime {
    switch self {
    case .row(let change): change.stamp
    case .relation(let event): event.at
    }
  }
}
