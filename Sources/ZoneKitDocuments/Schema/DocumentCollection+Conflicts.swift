import ZoneKitRecords

extension Name {
  /// The collection of the conflict journal.
  package static let conflicts: Name = "conflicts"
}

extension DocumentCollection {
  /// The conflict journal. Its documents are written once, by devices or by the server, and never change.
  static let conflicts = DocumentCollection(
    .conflicts,
    [
      DocumentMember("zone", .text(1...255)), DocumentMember("owner", .text(1...255), isOptional: true),
      DocumentMember("record", .text(1...255)), DocumentMember("type", .text(1...255), isOptional: true),
      DocumentMember("winner", .choice(ConflictEntry.Winner.allCases.map(\.rawValue))),
      DocumentMember("rule", .text(1...255), isOptional: true),
      DocumentMember("decidedBy", .text(1...255), isOptional: true),
      DocumentMember("decidedAt", .time), DocumentMember("serverDevice", .text(1...255), isOptional: true),
      DocumentMember("deciderFields", .text(1...1 << 20), isOptional: true),
      DocumentMember("deciderParent", .text(1...255), isOptional: true),
      DocumentMember("deciderOmitted", .integer(1...1), isOptional: true),
      DocumentMember("serverFields", .text(1...1 << 20), isOptional: true),
      DocumentMember("serverParent", .text(1...255), isOptional: true),
      DocumentMember("serverOmitted", .integer(1...1), isOptional: true),
    ])

  /// The record type of its documents.
  package var recordType: Name { name == .conflicts ? ConflictRecord.recordType : name }

  /// The member with the time of the last edit.
  package var stampMember: Name { name == .conflicts ? "decidedAt" : .documentStamp }
}

extension DocumentForm {
  /// The form of the conflict journal.
  static let conflicts = DocumentForm(.conflicts, summing: nil)
}
