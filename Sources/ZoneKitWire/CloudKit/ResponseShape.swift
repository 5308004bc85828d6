import ZoneKitRecords

/// How a client wants its answer written; it changes nothing of what is done.
package struct ResponseShape: Hashable, Sendable {
  /// What holds for each item of the request, in its order; empty where no item asks for anything of its own.
  package var items: [ItemShape]
  /// What holds for every item otherwise.
  package var common: ItemShape

  /// That shape for every item unless `items` says otherwise.
  package init(items: [ItemShape] = [], common: ItemShape = .whole) {
    self.items = items
    self.common = common
  }

  /// How to write the item at that place.
  func item(at index: Int) -> ItemShape { index < items.count ? items[index] : common }

  /// Reads what a body asks for, as a whole and for each item.
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
  /// The array whose elements are answered by records or pages of them.
  fileprivate var itemsKey: String? {
    switch self {
    case .recordsModify: "operations"
    case .recordsLookup: "records"
    case .changesZone: "zones"
    case .zonesList, .zonesLookup, .zonesModify, .changesDatabase, .subscriptionsList, .subscriptionsLookup,
      .subscriptionsModify, .tokensCreate, .tokensRegister:
      nil
    }
  }
}
