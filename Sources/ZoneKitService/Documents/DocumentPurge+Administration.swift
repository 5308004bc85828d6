import ZoneKitDocumentServer
import ZoneKitRecords
import ZoneKitWire

extension DocumentPurge {
  /// The purge that an administrator asks for.
  init(_ operation: DocumentAdministration) {
    self.init(deleted: 0, conflicts: 0, tombstones: 0, isDryRun: operation.isDryRun, at: operation.deletedBefore)
    conflictsBefore = operation.conflictsBefore
    tombstonesBefore = operation.tombstonesBefore
  }

  /// The request of an administrator for this purge of an account; of all accounts if none is named.
  func administration(of user: Name?) -> DocumentAdministration {
    DocumentAdministration(
      of: user, deletedBefore: deletedBefore, conflictsBefore: conflictsBefore, tombstonesBefore: tombstonesBefore,
      isDryRun: isDryRun)
  }
}

extension DocumentPurgeReport {
  /// The report on an account as JSON.
  func json(of user: Name) -> JSON {
    [
      "user": .string(user.text), "documents": .integer(Int64(documents)), "conflicts": .integer(Int64(conflicts)),
      "tombstones": .integer(Int64(tombstones)),
    ]
  }

  /// Reads the report of a server.
  init(_ json: JSON) {
    self.init()
    documents = Int(json["documents"]?.integer ?? 0)
    conflicts = Int(json["conflicts"]?.integer ?? 0)
    tombstones = Int(json["tombstones"]?.integer ?? 0)
  }
}
