import ZoneKitCloud

/// No record refers to one that is not there in a way that the cloud does not allow.
package enum ReferenceChecker {
  /// What breaks the invariant in a zone of the cloud, whose store has that reference to a missing record; nil where it has
  /// none.
  package static func finding(_ broken: StoredReference?, in zone: ZoneKey) -> Finding? {
    guard let broken else { return nil }
    return Finding(
      .reference,
      "record \(zone.zoneName)/\(broken.source) refers by \(broken.field), \(broken.action.rawValue), to "
        + "\(broken.target), which is not there")
  }
}
