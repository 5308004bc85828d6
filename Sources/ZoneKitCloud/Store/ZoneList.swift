import ZoneKitRecords

/// The zones of a database.
package struct ZoneList: Hashable, Sendable {
  /// The headers of all zones ever created that can be read, including deleted ones, in ascending order of their names.
  package var headers: [ZoneHeader]
  /// The zones that exist and cannot be read, in ascending order of their names.
  package var unreadable: [UnreadableZone]

  /// These zones.
  package init(headers: [ZoneHeader], unreadable: [UnreadableZone] = []) {
    self.headers = headers
    self.unreadable = unreadable
  }
}
