import ZoneKitRecords

/// A change of a document that a client sends.
package struct DocumentChange: Hashable, Sendable {
  /// What is done with the document.
  package enum Operation: String, CaseIterable, Hashable, Sendable {
    case create, update, delete
  }

  /// The version that the client changed.
  package enum Base: Hashable, Sendable {
    /// None: the client knows of no document.
    case none
    /// The version with that tag.
    case tag(DocumentTag)
    /// The version with that number; 0 for no document.
    case version(Int64)
  }

  /// The document.
  package var name: DocumentName
  /// What is done with it.
  package var operation: Operation
  /// The version that the client changed.
  package var base: Base
  /// The number of that version by the client's account; nil if the client names none.
  package var version: Int64?
  /// The time of the edit, by the clock of the device that made it.
  package var timestamp: WallTime
  /// The whole document as the client sent it; nil if there is none.
  package var data: DocumentData?
  /// Whether a deletion leaves nothing of the document but a tombstone.
  package var erases: Bool
  /// The client's name for the change, for traces; nil for none.
  package var changeID: String?

  /// A change of that document.
  package init(
    _ operation: Operation, _ name: DocumentName, base: Base = .none, version: Int64? = nil, at timestamp: WallTime,
    data: DocumentData? = nil, erases: Bool = false, changeID: String? = nil
  ) {
    self.name = name
    self.operation = operation
    self.base = base
    self.version = version
    self.timestamp = timestamp
    self.data = data
    self.erases = erases
    self.changeID = changeID
  }

  /// The tag in the data, which is that of the version that the client read if the client sends back what it got; nil for none.
  package var readTag: DocumentTag? { data?.json["tag"]?.string.flatMap(DocumentTag.init) }
}

/// The members of a JSON object that stands for a document. Equal data has equal canonical text.
package struct DocumentData: Hashable, Sendable {
  /// The object.
  package let json: JSON

  /// The data of that object.
  package init(_ json: JSON) { self.json = json }

  private var canonical: [UInt8] { json.bytes(.canonical) }

  /// Whether both have the same canonical text.
  package static func == (first: DocumentData, second: DocumentData) -> Bool { first.canonical == second.canonical }

  /// Hashes the canonical text.
  package func hash(into hasher: inout Hasher) { hasher.combine(canonical) }
}
