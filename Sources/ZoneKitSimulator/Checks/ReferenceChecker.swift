import ZoneKitCloud

/// No record has a binding reference to a missing record.
package enum ReferenceChecker {
  /// The violation in a zone of the cloud whose store has that reference to a missing record; nil for none.
  package static func finding(_ broken: StoredReference?, in zone: ZoneKey) -> Finding? {
    guard let broken else { return nil }
    return Finding(
      .reference,
      "record \(zone.zoneName)/\(broken.source) refers by \(broken.field), \(broken.action.rawValue), to "
        + "\(broken.target), which is not there")
  }
}
