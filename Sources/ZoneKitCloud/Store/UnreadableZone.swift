import ZoneKitRecords

/// A zone that exists and whose content cannot be read now. Requests to it fail; the other zones of its database are
/// served.
package struct UnreadableZone: Hashable, Sendable {
  /// The zone's name.
  package var name: Name
  /// Why it cannot be read.
  package var error: StoreError
  /// What the store last recorded of the zone; nil if it recorded nothing.
  package var known: ZoneMark?

  /// An unreadable zone.
  package init(name: Name, error: StoreError, known: ZoneMark?) {
    self.name = name
    self.error = error
    self.known = known
  }
}
