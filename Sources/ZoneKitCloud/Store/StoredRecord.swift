import ZoneKitRecords

/// A record or a tombstone in a zone.
package struct StoredRecord: Hashable, Sendable {
  /// The record's name.
  package var recordName: Name
  /// The record's type. A tombstone keeps the type of its record.
  package var recordType: Name
  /// The canonical field text; empty for a tombstone.
  package var fields: EncodedFields
  /// The record's position in the zone's feed. Its change tag is derived from it.
  package var sequence: Int64
  /// The user, device and time of the record's creation.
  package var created: Authorship
  /// The user, device and time of the last save or of the deletion.
  package var modified: Authorship
  /// The record's parent in a hierarchy.
  package var parent: Name?
  /// Whether this is a tombstone.
  package var isDeleted: Bool
  /// The number of saves since the record was first created. A tombstone keeps the number of its record, so that a record
  /// that is created anew counts on.
  package var version: Int64
  /// The binding references within the zone: those with the action DELETE_SELF or VALIDATE, in ascending order of field
  /// and target.
  package var references: [StoredReference]

  /// A live record.
  package init(
    recordName: Name, recordType: Name, fields: EncodedFields, sequence: Int64, created: Authorship,
    modified: Authorship, parent: Name?, references: [StoredReference]
  ) {
    self.recordName = recordName
    self.recordType = recordType
    self.fields = fields
    self.sequence = sequence
    self.created = created
    self.modified = modified
    self.parent = parent
    isDeleted = false
    version = 1
    self.references = references
  }

  /// The record's content.
  func decodedFields() throws(EvaluationFailure) -> Fields {
    do { return try fields.decoded() } catch { throw .unreadable(error) }
  }

  /// The record in the form that clients get.
  package var record: Record {
    Record(
      recordName: recordName, recordType: recordType, fields: fields, changeTag: ChangeTag(sequence: sequence),
      created: created, modified: modified, parent: parent)
  }
}

/// A binding reference, from a field of one record to another record of the zone.
package struct StoredReference: Hashable, Sendable {
  /// The record that holds the reference.
  package var source: Name
  /// The field that holds it.
  package var field: Name
  /// The record it points to.
  package var target: Name
  /// DELETE_SELF or VALIDATE.
  package var action: Reference.Action

  /// A reference from that field of `source` to `target`.
  package init(source: Name, field: Name, target: Name, action: Reference.Action) {
    self.source = source
    self.field = field
    self.target = target
    self.action = action
  }
}

/// The type of a field of a record type, set by the first save.
package struct FieldDefinition: Hashable, Sendable {
  /// The record type.
  package var recordType: Name
  /// The field's name.
  package var field: Name
  /// The field's type.
  package var type: FieldType

  /// A field of that type.
  package init(recordType: Name, field: Name, type: FieldType) {
    self.recordType = recordType
    self.field = field
    self.type = type
  }
}
