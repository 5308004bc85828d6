/// The requests to which a fault applies, and their items. All conditions that are not nil have to be fulfilled.
package struct FaultScope: Hashable, Sendable {
  /// The kinds of requests, or of parts of requests.
  package var kinds: [RequestKind]?
  /// The account of the request.
  package var user: Name?
  /// The device ID of the request (`clientId`).
  package var deviceID: String?
  /// The scope of the request's database.
  package var databaseScope: DatabaseScope?
  /// The zone of an item.
  package var zoneName: Name?
  /// The record names of an item; for `fetchZoneChanges` those of the answer.
  package var recordNames: [Name]?
  /// Only requests with more items than this, for example batches that are too large.
  package var itemsAbove: Int?

  /// A scope with these conditions.
  package init(
    _ kinds: RequestKind..., user: Name? = nil, deviceID: String? = nil, databaseScope: DatabaseScope? = nil,
    zoneName: Name? = nil, recordNames: [Name]? = nil, itemsAbove: Int? = nil
  ) {
    self.kinds = kinds.isEmpty ? nil : kinds
    self.user = user
    self.deviceID = deviceID
    self.databaseScope = databaseScope
    self.zoneName = zoneName
    self.recordNames = recordNames
    self.itemsAbove = itemsAbove
  }

  /// Whether a request with these traits, or one of its items, is in scope.
  package func includes(_ request: RequestTraits, from caller: Caller, in database: DatabaseID) -> Bool {
    guard user.map({ $0 == caller.user }) ?? true, deviceID.map({ $0 == caller.deviceID }) ?? true,
      databaseScope.map({ $0 == database.scope }) ?? true, request.items.count > itemsAbove ?? -1
    else { return false }
    guard !request.items.isEmpty else { return takes(request.kind) && zoneName == nil && recordNames == nil }
    return request.items.contains { includes($0, of: request.kind) }
  }

  /// Whether that item of an included request of that kind is in scope.
  package func includes(_ item: RequestItem, of kind: RequestKind) -> Bool {
    guard takes(kind) || takes(item.kind), zoneName.map({ $0 == item.zoneID?.zoneName }) ?? true else { return false }
    guard let recordNames, item.kind != .fetchZoneChanges else { return true }
    return item.recordName.map(recordNames.contains) ?? false
  }

  /// Whether that record of an answer is in scope.
  package func includes(record name: Name) -> Bool { recordNames?.contains(name) ?? true }

  private func takes(_ kind: RequestKind) -> Bool { kinds?.contains(kind) ?? true }
}
