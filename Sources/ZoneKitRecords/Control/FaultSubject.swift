/// What a fault plan looks at in a request or a push of any protocol: the kind, the sender or the receiver, and the items.
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

    /// The zone of a notification; nil if it names none.
    package init(notificationOf zoneName: Name?) {
      kind = .push
      self.zoneName = zoneName
    }

    /// An item of a request of CloudKit's protocol.
    package init(_ item: RequestItem) {
      kind = .cloud(item.kind)
      zoneName = item.zoneID?.zoneName
      recordName = item.recordName
    }
  }

  /// The way of a push to one receiver.
  package struct Delivery: Hashable, Sendable {
    /// The names of the device that gets it: name, device ID, push token.
    package var receivers: [String]
    /// The names of the device that made the change; empty if it is unknown.
    package var authors: [String]
    /// The subscription of a notification; nil for an event, or if it names none.
    package var subscriptionID: String?
    /// The topic of the channel of an event; nil for a notification.
    package var topic: String?

    /// A delivery to a device with those names.
    package init(
      to receivers: [String], from authors: [String] = [], subscriptionID: String? = nil, topic: String? = nil
    ) {
      self.receivers = receivers
      self.authors = authors
      self.subscriptionID = subscriptionID
      self.topic = topic
    }
  }

  /// The kind of the whole request.
  package var kind: FaultKind
  /// The names of the sender's account: one in CloudKit's protocol; identifier and e-mail address in that of tables. Empty
  /// if nobody is signed in.
  package var users: [Name]
  /// The names of the sending device: the one that the request names, and those by which it is known besides.
  package var devices: [String]
  /// The way of a push; nil for a request.
  package var delivery: Delivery?
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
    devices = deviceID.map { [$0] } ?? []
    databaseScope = .private
    self.items = items
    savesSubscriptions = false
  }

  /// A notification on its way to a device of an account.
  package init(_ push: PushNotification, to users: [Name], _ delivery: Delivery) {
    kind = .push
    self.users = users
    devices = []
    self.delivery = delivery
    databaseScope = push.scope ?? .private
    items = [Item(notificationOf: push.zoneID?.zoneName)]
    savesSubscriptions = false
  }

  /// A request of CloudKit's protocol with those traits.
  package init(_ traits: RequestTraits, from caller: Caller, in database: DatabaseID) {
    kind = .cloud(traits.kind)
    users = [caller.user]
    devices = caller.deviceID.map { [$0] } ?? []
    databaseScope = database.scope
    items = traits.items.map { Item($0) }
    savesSubscriptions = traits.savesSubscriptions
  }
}
