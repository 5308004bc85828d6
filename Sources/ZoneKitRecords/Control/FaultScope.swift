/// The requests and pushes to which a fault applies, and their items. All conditions that are not nil have to be fulfilled.
package struct FaultScope: Hashable, Sendable {
  /// The kinds of requests, or of parts of requests.
  package var kinds: [FaultKind]?
  /// The account of the request.
  package var user: Name?
  /// The device that sends the request: its ID (`clientId`) or its name.
  package var deviceID: String?
  /// The device that gets a push: its name, its ID or its push token.
  package var receiver: String?
  /// The device that made the change of a push: its ID or its name.
  package var author: String?
  /// The subscription of a notification.
  package var subscriptionID: String?
  /// The topic of the channel of an event.
  package var topic: String?
  /// The scope of the request's database.
  package var databaseScope: DatabaseScope?
  /// The zone of an item.
  package var zoneName: Name?
  /// The table of an item.
  package var table: Name?
  /// The record names of an item; for `fetchZoneChanges` and `readRows` those of the answer.
  package var recordNames: [Name]?
  /// Only requests with more items than this, for example batches that are too large.
  package var itemsAbove: Int?

  /// A scope of those kinds of requests of a service of tables, with these conditions.
  package init(
    tables kinds: [TableRequestKind], user: Name? = nil, deviceID: String? = nil, table: Name? = nil,
    recordNames: [Name]? = nil
  ) {
    self.init(user: user, deviceID: deviceID, table: table, recordNames: recordNames)
    self.kinds = kinds.map { .table($0) }
  }

  /// A scope with these conditions.
  package init(
    _ kinds: RequestKind..., user: Name? = nil, deviceID: String? = nil, databaseScope: DatabaseScope? = nil,
    zoneName: Name? = nil, table: Name? = nil, recordNames: [Name]? = nil, itemsAbove: Int? = nil
  ) {
    self.kinds = kinds.isEmpty ? nil : kinds.map { .cloud($0) }
    self.user = user
    self.deviceID = deviceID
    self.databaseScope = databaseScope
    self.zoneName = zoneName
    self.table = table
    self.recordNames = recordNames
    self.itemsAbove = itemsAbove
  }

  /// Whether a request, or one of its items, is in scope.
  package func includes(_ request: FaultSubject) -> Bool {
    guard user.map(request.users.contains) ?? true, deviceID.map(request.devices.contains) ?? true,
      includes(request.delivery), databaseScope.map({ $0 == request.databaseScope }) ?? true,
      request.items.count > itemsAbove ?? -1
    else { return false }
    guard !request.items.isEmpty else {
      return takes(request.kind) && zoneName == nil && table == nil && recordNames == nil
    }
    return request.items.contains { includes($0, of: request.kind) }
  }

  private func includes(_ delivery: FaultSubject.Delivery?) -> Bool {
    receiver.map { delivery?.receivers.contains($0) ?? false } ?? true
      && author.map { delivery?.authors.contains($0) ?? false } ?? true
      && subscriptionID.map { $0 == delivery?.subscriptionID } ?? true && topic.map { $0 == delivery?.topic } ?? true
  }

  /// Whether that item of an included request of that kind is in scope.
  package func includes(_ item: FaultSubject.Item, of kind: FaultKind) -> Bool {
    guard takes(kind) || takes(item.kind), zoneName.map({ $0 == item.zoneName }) ?? true,
      table.map({ $0 == item.table }) ?? true
    else { return false }
    guard let recordNames, item.kind != .cloud(.fetchZoneChanges), item.kind != .table(.readRows) else { return true }
    return item.recordName.map(recordNames.contains) ?? false
  }

  /// Whether that record of an answer is in scope.
  package func includes(record name: Name) -> Bool { recordNames?.contains(name) ?? true }

  private func takes(_ kind: FaultKind) -> Bool { kinds?.contains(kind) ?? true }
}
