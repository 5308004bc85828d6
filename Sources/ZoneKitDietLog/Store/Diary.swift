import ZoneKitDeviceHost
import ZoneKitDocuments
import ZoneKitRecords
import ZoneKitSync

/// The documents that commands read, collection by collection as they need them. It is a cache of the device's store.
struct Diary: Sendable {
  private var shelves: [Name: [String: DietDocument]] = [:]

  /// Reads those collections, unless they were read before.
  mutating func read(_ collections: [Name], from view: AppView) throws(StoreError) {
    for name in collections where shelves[name] == nil {
      var shelf: [String: DietDocument] = [:]
      for record in try view.store.records(ofType: name) {
        guard let document = DietDocument(record) else { continue }
        shelf[document.name.id] = document
      }
      shelves[name] = shelf
    }
  }

  /// Reads the named records again, if their collections were read.
  mutating func refresh(_ changed: [RecordID], from view: AppView) throws(StoreError) {
    for id in changed {
      guard let name = DietLog.name(of: id), shelves[name.collection] != nil else { continue }
      let document = try view.store.record(id).flatMap { DietDocument($0) }
      shelves[name.collection]?[name.id] = document
    }
  }

  /// What a new diary would read otherwise of the collections that were read, as a sentence; nil if nothing.
  func staleness(in view: AppView) throws(StoreError) -> String? {
    var fresh = Diary()
    try fresh.read(Array(shelves.keys), from: view)
    for (name, shelf) in shelves.sorted(by: { $0.key < $1.key }) {
      let new = fresh.shelves[name] ?? [:]
      let id = Set(shelf.keys).union(new.keys).filter { shelf[$0] != new[$0] }.min()
      if let id { return "another version of \(name)/\(id) is shown" }
    }
    return nil
  }

  /// The documents of a collection that was read, also deleted ones, in ascending order of their IDs.
  func documents(in collection: Name) -> [DietDocument] {
    (shelves[collection] ?? [:]).sorted { $0.key < $1.key }.map(\.value)
  }

  /// The document of that name, also a deleted one; nil if there is none.
  func document(_ name: DocumentName) -> DietDocument? { shelves[name.collection]?[name.id] }

  /// The documents of a collection that users see: those that are not deleted, and of the members of families those whose
  /// family is there. Logs and weights come newest first, foods by their last use.
  func listed(in collection: Name) -> [DietDocument] {
    let shown = documents(in: collection).filter(isShown)
    let order: Name? =
      switch collection {
      case "foodLogs", "weightLogs": "loggedAt"
      case "recentFoods": "lastUsedAt"
      default: nil
      }
    guard let order else { return shown }
    let start = WallTime(milliseconds: 0)
    return shown.sorted { ($1.time(order) ?? start, $0.name.id) < ($0.time(order) ?? start, $1.name.id) }
  }

  private func isShown(_ document: DietDocument) -> Bool {
    guard !document.isDeleted else { return false }
    guard document.name.collection == "familyMembers" else { return true }
    return document.text("familyId").flatMap { self.document(DocumentName("families", $0)) }?.isDeleted == false
  }

  /// The members of a family, also deleted ones.
  func members(ofFamily id: String) -> [DietDocument] {
    documents(in: "familyMembers").filter { $0.text("familyId") == id }
  }
}
