public import ZoneKitRecords

/// A collection of documents: what its documents have, and who may write them. A document is a record of the type with
/// the collection's name.
public struct DocumentCollection: Hashable, Sendable {
  /// Which IDs its documents have.
  public enum Identity: Hashable, Sendable {
    /// Any.
    case any
    /// Only this one.
    case only(String)
    /// The value of this member.
    case member(Name)
  }

  /// The collection's name, which is the record type of its documents.
  public var name: Name
  /// The IDs of its documents.
  public var identity: Identity
  /// The members of its documents besides those that all documents have.
  public var members: [DocumentMember]
  /// Whether only the server writes it.
  public var isDerived: Bool

  /// A collection that clients write.
  public init(_ name: Name, identity: Identity = .any, isDerived: Bool = false, _ members: [DocumentMember]) {
    self.name = name
    self.identity = identity
    self.members = members
    self.isDerived = isDerived
  }

  /// The member with items; nil if documents have none.
  public var items: DocumentMember? { members.first { $0.kind == .items } }

  /// The member of that name; nil if there is none.
  public func member(_ name: Name) -> DocumentMember? { members.first { $0.name == name } }
}
