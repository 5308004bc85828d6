import ZoneKitRecords
import ZoneKitRelations
import ZoneKitTables

/// One request of a device's coordinator to a table server of either kind.
enum TableExchange: Sendable {
  /// To tables of this product's form.
  case rows(RowExchange)
  /// To tables of a user's own schema.
  case relations(RelationExchange)
}
