import ZoneKitRecords

/// A record as a query sees it, with its fields decoded.
package struct RecordSight {
  /// The record's name.
  package let recordName: Name
  private let created: Authorship
  private let modified: Authorship
  private let parent: Name?
  private let fields: Fields

  /// A stored record with those fields.
  package init(_ record: StoredRecord, _ fields: Fields) {
    recordName = record.recordName
    created = record.created
    modified = record.modified
    parent = record.parent
    self.fields = fields
  }

  /// A record as clients get it, with those fields.
  package init(_ record: Record, _ fields: Fields) {
    recordName = record.recordName
    created = record.created
    modified = record.modified
    parent = record.parent
    self.fields = fields
  }

  /// The value of a key; nil for none.
  package subscript(_ key: RecordKey) -> RecordValue? {
    switch key {
    case .recordName: .text(recordName)
    case .createdAt: .integer(created.at.milliseconds)
    case .modifiedAt: .integer(modified.at.milliseconds)
    case .createdBy: .text(created.author.userRecordName)
    case .modifiedBy: .text(modified.author.userRecordName)
    case .parent: parent.map { .text($0) }
    case .share: nil
    case .field(let name): fields[name].flatMap { RecordValue($0) }
    case .target(let name):
      if case .reference(let reference) = fields[name] { .text(reference.recordName) } else { nil }
    case .distance(let name, let place): location(name).map { .number($0.squaredChord(to: place)) }
    }
  }

  /// The location in a field; nil if it holds none.
  func location(_ field: Name) -> Location? {
    if case .location(let location) = fields[field] { location } else { nil }
  }

  /// The elements of the list in a field; nil if it holds none. A reference counts by the name of its target.
  func list(_ field: Name) -> [RecordValue]? { fields[field].flatMap { RecordValue.elements(of: $0) } }

  /// The words in the text of a field, or of all fields; nil if the field holds no text.
  func words(of field: Name?) -> SearchWords? {
    guard let field else { return SearchWords(fields.sorted.flatMap { Self.texts($0.value) }) }
    let texts = fields[field].map(Self.texts) ?? []
    return texts.isEmpty ? nil : SearchWords(texts)
  }

  private static func texts(_ value: FieldValue) -> [String] {
    switch value {
    case .string(let text): [text]
    case .stringList(let texts): texts
    default: []
    }
  }
}
