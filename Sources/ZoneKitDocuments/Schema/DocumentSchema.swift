public import ZoneKitRecords

/// The collections of an app, the items of its documents, and what the server sums up.
public struct DocumentSchema: Hashable, Sendable {
  /// The sums that the server keeps of the documents of each day.
  public struct Summary: Hashable, Sendable {
    /// The collection with a document for each day.
    public var collection: Name
    /// The collection of the documents that are summed.
    public var source: Name
    /// The member with the day of a summed document.
    public var day: Name

    /// Sums of the documents in `source`, by the day in the member `day`.
    public init(_ collection: Name, of source: Name, by day: Name) {
      self.collection = collection
      self.source = source
      self.day = day
    }
  }

  /// The collections, in the order in which answers list them.
  public var collections: [DocumentCollection]
  /// The members of items besides those that all items have.
  public var itemMembers: [DocumentMember]
  /// The members of items whose sums a document with items shows.
  public var amounts: [Name]
  /// The sums by day; nil for none.
  public var summary: Summary?
  /// The version of the schema.
  public var version: Int

  /// A schema with those collections and items.
  public init(
    _ collections: [DocumentCollection], items: [DocumentMember], amounts: [Name], summary: Summary?, version: Int = 1
  ) {
    self.collections = collections
    itemMembers = items
    self.amounts = amounts
    self.summary = summary
    self.version = version
  }

  /// The collection of that name, that of the conflict journal included; nil if there is none.
  public func collection(_ name: Name) -> DocumentCollection? {
    name == .conflicts ? .conflicts : collections.first { $0.name == name }
  }

  /// The most items of a document.
  package static let itemLimit = 500
  /// The most bytes of the field text of a document.
  package static let documentBytes = 256 << 10
  /// The most bytes of the members of a document or item that the schema does not name.
  package static let extraBytes = 16 << 10
}
