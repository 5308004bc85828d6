import ZoneKitRecords

/// What the items of a document are.
package struct DocumentItems: Hashable, Sendable {
  /// Their members besides those that all items have.
  package var members: [DocumentMember]
  /// The integers among them whose sums a document shows, in the order in which answers list them.
  package var amounts: [Name]

  /// Items with those members.
  package init(_ members: [DocumentMember], amounts: [Name] = []) {
    self.members = members
    self.amounts = amounts
  }
}
