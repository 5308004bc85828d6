/// What a fault plan looks at in a request of any protocol: the kind, the sender, and the items.
package struct FaultSubject: Hashable, Sendable {
  /// An item of a request.
  package struct Item: Hashable, Sendable {
    /// The kind of the request, or of the part of the request to which the item belongs.
    package var kind: FaultKind
    /// The zone; nil if there is none.
    package var zoneName: Name?
    /// The table of a row; nil if the item is not a row.
    package var table: Name?
    /// The record, or the path of an object; nil if the item names none.
    package var recordName: Name?

    /// A row by its record's name, an object by its path, or only the table.
    package init(_ kind: TableRequestKind, table: Name? = nil, recordName: Name? = nil) {
      self.kind = .table(kind)
      self.table = table
      self.recordName = recordName
    }

    /// An item of a request of CloudKit's protocol.
    package init(_ item: RequestItem) {
      kind = .cloud(item.kind)
      zoneName = item.zoneID?.zoneName
      recordName = item.recordName
    }
  }

  /// The kind of the whole request.
  package var kind: FaultKind
  /// The names of the sender's account: one in CloudKit's protocol; identifier and e-mail address in that of tables. Empty
  /// if nobody is signed in.
  package var users: [Name]
  /// The device that the request names; nil for none.
  package var deviceID: String?
  /// The scope of the request's database.
  package var databaseScope: DatabaseScope
  /// The items of the request; empty if it has none.
  package var items: [Item]
  /// Whether the request saves a subscription.
  package var savesSubscriptions: Bool

  /// A request of a service of tables.
  package init(_ kind: TableRequestKind, users: [Name] = [], deviceID: String? = nil, items: [Item] = []) {
    self.kind = .table(kind)
    self.users = users
    self.deviceID = deviceID
    databaseScope = .private
    self.items = items
    savesSubscriptions = false
  }

  /// A request of CloudKit's protocol with those traits.
  package init(_ traits: RequestTraits, from caller: Caller, in database: DatabaseID) {
    kind = .cloud(traits.kind)
    users = [caller.user]
    deviceID = caller.deviceID
    databaseScope = database.scope
    items = traits.items.map { Item($0) }
    savesSubscriptions = traits.savesSubscriptions
  }
}
