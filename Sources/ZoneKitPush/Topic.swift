import ZoneKitRecords

/// The topic of a notification. A newer notification with the same topic contains everything that an older one
/// contains.
struct Topic: Hashable {
  var database: DatabaseID
  var zoneID: ZoneID
  var subscriptionID: String
  /// The record; nil unless the subscription is to a query, which has a notification for each record.
  var recordName: Name?
}
