/// The result of a request for one record.
public enum RecordResult: Hashable, Sendable {
  /// The record's present state.
  case record(Record)
  /// The cloud compared what was sent with its version and kept that, which is this record. Only a cloud that decides
  /// conflicts itself answers so.
  case kept(Record)
  /// The record was deleted, with the change tag of its tombstone; nil if the cloud does not name it.
  case deleted(Name, ChangeTag? = nil)
  /// The operation failed, or the record does not exist.
  case failed(Name?, CloudError)

  /// The error; nil if there is none.
  package var error: CloudError? {
    if case .failed(_, let error) = self { error } else { nil }
  }
}
