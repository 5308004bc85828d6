import ZoneKitRecords

/// Makes the schema of a container whose zones are older than it: the zones' own definitions become those of the container.
/// Of zones that give a field different types, the first counts for new zones. Nothing changes if the container has a schema.
package struct SchemaAdoption: ZoneTransaction {
  private let directory: SchemaDirectory
  /// The definitions of the zones, zone by zone.
  private let definitions: [FieldDefinition]
  private let now: WallTime

  /// The adoption of these definitions in the container and environment of a database.
  package init(_ definitions: [FieldDefinition], near database: DatabaseID, at now: WallTime) {
    directory = SchemaDirectory(of: database)
    self.definitions = definitions
    self.now = now
  }

  private var types: [Name] { definitions.map(\.recordType).distinct }

  /// The directory with the record types.
  package var likelyNeeds: [Need] { [.zone(directory.zone), .records(types, in: directory.zone)] }

  /// It runs once in the life of a container, over all of its zones.
  package var isAdministration: Bool { true }

  /// The answer is the number of record types.
  package func outcome(
    reading reader: inout NotingReader, using generator: inout some RandomNumberGenerator
  ) throws(EvaluationFailure) -> TransactionOutcome {
    guard try reader.zone(directory.zone) == nil else { return TransactionOutcome(TransactionAnswer(0, size: 0)) }
    var zone = try ZoneOverlay(of: directory.zone, at: now, reading: &reader, using: &generator)
    let author = Authorship(at: now, author: Author(userRecordName: UserRecordName.of(user: DatabaseID.publicUser)))
    for type in types { try zone.add(type, definitions.filter { $0.recordType == type }, by: author) }
    return TransactionOutcome(TransactionAnswer(types.count, size: 0), changing: [zone], isTold: false)
  }
}
