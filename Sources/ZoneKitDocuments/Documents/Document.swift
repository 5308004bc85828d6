import ZoneKitRecords

/// A document as the server has it: its content, and what the server knows of their version.
package struct Document: Hashable, Sendable {
  /// The document's name.
  package var name: DocumentName
  /// The account.
  package var user: Name
  /// The number of changes that the server accepted for it.
  package var version: Int64
  /// The version in the data set.
  package var tag: DocumentTag
  /// The device that wrote the version.
  package var deviceID: String
  /// When the server committed the version.
  package var committedAt: WallTime
  /// The canonical text of the record's fields.
  package let content: EncodedFields
  /// Whether the user deleted the document.
  package let isDeleted: Bool
  /// The content as clients get it, if it is known already.
  package let written: WrittenDocument?

  /// A document with that content.
  package init(
    _ name: DocumentName, of user: Name, version: Int64, tag: DocumentTag, deviceID: String, committedAt: WallTime,
    content: EncodedFields, isDeleted: Bool, written: WrittenDocument? = nil
  ) {
    self.name = name
    self.user = user
    self.version = version
    self.tag = tag
    self.deviceID = deviceID
    self.committedAt = committedAt
    self.content = content
    self.isDeleted = isDeleted
    self.written = written
  }

  /// A document with those fields.
  package init(
    _ name: DocumentName, of user: Name, version: Int64, tag: DocumentTag, deviceID: String, committedAt: WallTime,
    fields: Fields
  ) {
    self.init(
      name, of: user, version: version, tag: tag, deviceID: deviceID, committedAt: committedAt,
      content: EncodedFields(fields), isDeleted: fields.isDeleted)
  }

  /// The fields of the record. They are decoded at each call.
  package var fields: Fields { (try? content.decoded()) ?? Fields() }

  /// Whether both are the same version with the same content. How the content is written follows from it.
  package static func == (first: Document, second: Document) -> Bool {
    (first.name, first.user, first.version, first.tag, first.deviceID, first.committedAt)
      == (second.name, second.user, second.version, second.tag, second.deviceID, second.committedAt)
      && first.content == second.content && first.isDeleted == second.isDeleted
  }

  /// Hashes the name and the version.
  package func hash(into hasher: inout Hasher) {
    hasher.combine(name)
    hasher.combine(tag)
  }
}

/// The fields that all documents have.
extension Fields {
  /// The time of the last edit; the earliest time if the field is missing or of another type.
  package var editedAt: WallTime {
    if case .timestamp(let time)? = self[.documentStamp] { time } else { WallTime(milliseconds: .min) }
  }

  /// Whether the user deleted the document.
  package var isDeleted: Bool { self[.deleted] != nil }
}

extension Name {
  /// The field with the time of the last edit.
  package static let documentStamp: Name = "updatedAt"
  /// The field that marks a deleted document or item, with the value 1.
  package static let deleted: Name = "deleted"
  /// The field with the members that the schema does not name, as canonical JSON.
  package static let extra: Name = "extra"
}
