import ZoneKitCloud
import ZoneKitRecords
import ZoneKitRelationServer
import ZoneKitRelations
import ZoneKitTableServer
import ZoneKitTables

/// What the commit of a turn led to, for `CloudProcess.perform`.
package enum TurnEffect: Equatable, Sendable {
  /// An effect of the zones.
  case zones(CloudEffect)
  /// The answer to a request for rows of a schema of a user's own, and the changes that were committed.
  case relation(Ticket, Result<RelationResult, RowError>, [RelationChange])
  /// The answer to a request for objects of such a schema, the hashes of bytes that belong to no object any more, and the
  /// place of the bytes of an upload.
  case object(Ticket, ObjectResponse, unused: [String], upload: ObjectTurn.Place?)
  /// These rows of such a schema changed with accounts.
  case relationsChanged([RelationChange])
  /// The answer to a request to the accounts.
  case account(Ticket, AccountResponse)
}
