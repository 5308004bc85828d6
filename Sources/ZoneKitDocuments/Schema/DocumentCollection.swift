import ZoneKitRecords

/// A collection of documents: what its documents have, and who may write them. A document is a record of the type with
/// the collection's name.
package struct DocumentCollection: Hashable, Sendable {
  /// Which IDs its documents have.
  package enum Identity: Hashable, Sendable {
    /// Any.
    case any
    /// Only this one.
    case only(String)
    /// The value of this member.
    case member(Name)
  }

  /// The collection's name, which is the record type of its documents.
  package var name: Name
  /// The IDs of its documents.
  package var identity: Identity
  /// The members of its documents besides those that all documents have.
  package var members: [DocumentMember]
  /// Whether only the server writes it.
  package var isDerived: Bool

  /// A collection that clients write.
  package init(_ name: Name, identity: Identity = .any, isDerived: Bool = false, _ members: [DocumentMember]) {
    self.name = name
    self.identity = identity
    self.members = members
    self.isDerived = isDerived
  }

  /// The member with items; nil if documents have none.
  package var items: DocumentMember? { members.first { $0.items != nil } }

  /// The member of that name; nil if there is none.
  package func member(_ name: Name) -> DocumentMember? { members.first { $0.name == name } }
}
