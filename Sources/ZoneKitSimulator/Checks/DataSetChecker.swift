import ZoneKitDocuments
import ZoneKitRecords

/// A device whose cursor is of another data set than the server has learns that the server lost its documents.
package enum DataSetChecker {
  /// The violation in how a device reads the answer to a request; nil for none.
  package static func finding(
    _ answer: DocumentResponse, readAs read: CloudResponse, on request: CloudRequest
  ) -> Finding? {
    guard case .refused(let error) = answer, error.code == .datasetChanged,
      case .fetchZoneChanges(let queries) = request,
      queries.contains(where: { $0.token.map { $0.text != "" } ?? false }), case .zoneChanges(let results) = read
    else { return nil }
    for case .failed(let zone, let error) in results where !error.isAfterLoss && error.ending == nil {
      return Finding(.lostEdit, "the server has another data set, and \(zone.zoneName) counts as \(error.code)")
    }
    return nil
  }
}
