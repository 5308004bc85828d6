/// The result of a request for one record.
public enum RecordResult: Hashable, Sendable {
  /// The record as it is now.
  case record(Record)
  /// The record is gone.
  case deleted(Name)
  /// Nothing was done to that record, or it is not there.
  case failed(Name?, CloudError)

  /// What is wrong; nil where nothing is.
  package var error: CloudError? {
    if case .failed(_, let error) = self { error } else { nil }
  }
}
