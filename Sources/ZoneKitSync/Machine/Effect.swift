import ZoneKitRecords

/// An instruction of a coordinator to its driver.
public enum Effect: Hashable, Sendable {
  /// Send that request, and pass the answer or the failure to `received`.
  case send(RequestID, CloudRequest)
  /// Show these records anew: they were changed by the cloud. The app may answer with edits.
  case remoteChange([RecordID])
  /// Record a fact.
  case fact(DeviceFact)
}
