/// An item that a request names and that has its own result in the answer.
package struct RequestItem: Hashable, Sendable {
  /// The kind of the request, or of the part of the request to which the item belongs.
  package var kind: RequestKind
  /// The zone of the item; nil for a subscription.
  package var zoneID: ZoneID?
  /// The record; nil if the item is not a record, or one without a name.
  package var recordName: Name?
  /// The subscription; nil if the item is not one, or one without an ID.
  package var subscriptionID: String?
  /// The change token of a query of a zone's feed.
  package var token: ChangeToken?

  init(_ kind: RequestKind, zoneID: ZoneID? = nil, recordName: Name? = nil, subscriptionID: String? = nil) {
    self.kind = kind
    self.zoneID = zoneID
    self.recordName = recordName
    self.subscriptionID = subscriptionID
  }
}

extension RequestItem {
  init(_ operation: ZoneOperation) {
    switch operation {
    case .create(let id): self.init(.createZones, zoneID: id)
    case .delete(let id): self.init(.deleteZones, zoneID: id)
    }
  }

  init(_ operation: RecordOperation, in zoneID: ZoneID) {
    self.init(
      operation.kind.isDeletion ? .deleteRecords : .saveRecords, zoneID: zoneID, recordName: operation.recordName)
  }

  init(_ operation: SubscriptionOperation) {
    switch operation {
    case .create(let subscription), .update(let subscription):
      self.init(.saveSubscriptions, subscriptionID: subscription.subscriptionID)
    case .delete(let id): self.init(.deleteSubscriptions, subscriptionID: id)
    case .malformed(let id, _): self.init(.saveSubscriptions, subscriptionID: id)
    }
  }

  init(_ query: ZoneChangesQuery) {
    self.init(.fetchZoneChanges, zoneID: query.zoneID)
    token = query.token
  }
}

extension RecordOperation.Kind {
  /// Whether the operation deletes a record.
  package var isDeletion: Bool {
    switch self {
    case .delete, .forceDelete: true
    case .create, .update, .forceUpdate, .replace, .forceReplace: false
    }
  }
}
