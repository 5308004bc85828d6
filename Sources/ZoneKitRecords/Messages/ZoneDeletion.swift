/// Why a zone is gone, as the database's feed says it (CKDatabase.DatabaseChange.Deletion.Reason; sync semantics, 1.7).
public enum ZoneDeletion: String, CaseIterable, Hashable, Sendable {
  /// A client deleted it.
  case deleted
  /// The user removed the app's data.
  case purged
  /// The keys of its encrypted data were lost with the recovery of the account.
  case encryptedDataReset
}
