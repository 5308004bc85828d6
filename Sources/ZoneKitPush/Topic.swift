import ZoneKitRecords

/// What a notification is about, as far as a newer one with the same topic says it all again.
struct Topic: Hashable {
  var database: DatabaseID
  var zoneID: ZoneID
  var subscriptionID: String
}
