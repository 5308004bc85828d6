import ZoneKitRecords

/// The form in which a client wants the answer. It does not affect what is carried out.
package struct ResponseShape: Hashable, Sendable {
  /// The form for each item of the request, in order; empty if all have the common form.
  package var items: [ItemShape]
  /// The form for all other items.
  package var common: ItemShape
  /// Whether the answer to a query has the zone's token (CloudKit Web Services, a.0: `getCurrentSyncToken`).
  package var hasToken = false

  /// A form.
  package init(items: [ItemShape] = [], common: ItemShape = .whole) {
    self.items = items
    self.common = common
  }

  /// The form for the item at that index.
  func item(at index: Int) -> ItemShape { index < items.count ? items[index] : common }

  /// Reads the form from a body, for the whole answer and for each item.
  init(_ json: JSON, for endpoint: Endpoint) throws(MemberError) {
    common = try ItemShape(json, within: .whole)
    items = []
    guard let key = endpoint.itemsKey, let elements = json[key]?.array else { return }
    let outer = common
    let shapes = try elements.mapNumbered(key) { (element) throws(MemberError) in
      try ItemShape(element, within: outer)
    }
    if shapes.contains(where: { $0 != outer }) { items = shapes }
  }
}

extension Endpoint {
  /// The key of the array whose elements are answered by records or pages of records.
  fileprivate var itemsKey: String? {
    switch self {
    case .recordsModify: "operations"
    case .recordsLookup: "records"
    case .changesZone: "zones"
    case .recordsQueryBatch: "batch"
    case .recordsResolve, .recordsAccept, .recordsQuery, .recordsChanges, .zonesChanges, .assetsUpload,
      .assetsRereference, .zonesList, .zonesLookup,
      .zonesModify, .changesDatabase,
      .subscriptionsList, .subscriptionsLookup,
      .subscriptionsModify, .tokensCreate, .tokensRegister, .usersCaller, .usersCurrent, .usersDiscover,
      .usersLookupEmail, .usersLookupID, .usersLookupContacts:
      nil
    }
  }
}
