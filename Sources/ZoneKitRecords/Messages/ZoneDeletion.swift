/// The reason for the removal of a zone, in the database's feed (CKDatabase.DatabaseChange.Deletion.Reason; sync
/// semantics, 1.7).
public enum ZoneDeletion: String, CaseIterable, Hashable, Sendable {
  /// A client deleted it.
  case deleted
  /// The user removed the app's data.
  case purged
  /// The keys of its encrypted data were lost when the account was recovered.
  case encryptedDataReset
}
