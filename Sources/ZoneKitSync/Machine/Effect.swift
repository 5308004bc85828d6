import ZoneKitRecords

/// What a coordinator asks of the world around it.
public enum Effect: Hashable, Sendable {
  /// Send that request and hand the answer, or its absence, to `received`.
  case send(RequestID, CloudRequest)
  /// The cloud changed these records of the store: show them anew. The app may answer with edits of its own.
  case remoteChange([RecordID])
  /// Something happened that is worth a line in a journal; nothing needs to be done.
  case fact(DeviceFact)
}
