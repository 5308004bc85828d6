import ZoneKitRecords
import ZoneKitSync

/// A decision between two versions of a document, as the device's journal has it.
struct DietConflict {
  /// One of the two versions.
  struct Side {
    /// What users read of the side.
    let word: String
    /// The version; nil if there is none, or if it is no document of the app.
    let document: DietDocument?
    /// The other version.
    let other: DietDocument?
    /// Whether the side had a version. Otherwise the document was removed there for good.
    let isThere: Bool
  }

  /// The entry of the journal.
  let entry: ConflictEntry
  /// The version of this device. If others decided between their own versions, that of the one that met the conflict. Nil
  /// as for `Side.document`.
  let local: DietDocument?
  /// The other version, which the cloud had or got; nil as for `Side.document`.
  let server: DietDocument?

  /// The decision of an entry.
  init(_ entry: ConflictEntry) {
    self.entry = entry
    local = DietDocument(entry.recordID, entry.recordType, entry.local)
    server = DietDocument(entry.recordID, entry.recordType, entry.server)
  }

  /// Both versions, with the words for their sides.
  var sides: [Side] {
    [
      Side(word: "local", document: local, other: server, isThere: entry.local != nil),
      Side(word: "server", document: server, other: local, isThere: entry.server != nil),
    ]
  }

  /// What users read of the document.
  var words: String { (server ?? local)?.words ?? entry.recordID.recordName.text }

  /// What users read of the result.
  var result: String {
    switch entry.winner {
    case .local: "local wins"
    case .server: "server wins"
    case .merged: "both are merged"
    case .none: "local is discarded"
    }
  }
}
