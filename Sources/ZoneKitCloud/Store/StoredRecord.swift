import ZoneKitRecords

/// A record or a tombstone as a zone keeps it.
package struct StoredRecord: Hashable, Sendable {
  /// The record's name.
  package var recordName: Name
  /// The record's type; a tombstone keeps that of the record it stands for.
  package var recordType: Name
  /// The canonical field text; empty for a tombstone.
  package var fields: EncodedFields
  /// The record's place in the zone's feed; its change tag is made from it.
  package var sequence: Int64
  /// Who created the record, and when.
  package var created: Authorship
  /// Who saved or deleted it last, and when.
  package var modified: Authorship
  /// The record above it in a hierarchy.
  package var parent: Name?
  /// Whether this is a tombstone.
  package var isDeleted: Bool
  /// The references within the zone that bind: those with the action DELETE_SELF or VALIDATE, ascending by field,
  /// target.
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
    self.references = references
  }

  /// The record as clients get to see it.
  package var record: Record {
    Record(
      recordName: recordName, recordType: recordType, fields: fields, changeTag: ChangeTag(sequence: sequence),
      created: created, modified: modified, parent: parent)
  }
}

/// A reference that binds: from a field of one record to another record of the zone.
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

/// The type of a field of a record type, as first saved.
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
