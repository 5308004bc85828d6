import ZoneKitRecords

/// The topic of a notification. A newer notification with the same topic contains everything that an older one
/// contains.
struct Topic: Hashable {
  var database: DatabaseID
  var zoneID: ZoneID
  var subscriptionID: String
}
