import ZoneKitRecords

/// How the items of documents are stored and written: the place of each member in the canonical text of an item.
struct ItemForm: Sendable {
  /// The members of the schema. The value of each has the place of its index.
  let members: [DocumentMember]
  /// The places of the amounts that are summed.
  let amounts: [Int]
  /// The layout of stored items.
  let layout: ObjectLayout
  /// The layout of items as the service sends them: `_id`, the members, `createdAt`, `updatedAt` and `deletedAt`.
  let servedLayout: ObjectLayout
  /// The layout of the sums of the amounts.
  let sumsLayout: ObjectLayout
  /// The names of all members that clients may send. Others are kept as `extra`.
  let known: Set<String>

  /// The place of the ID.
  var id: Int { members.count }
  /// The place of the time at which the item was made.
  var createdAt: Int { members.count + 1 }
  /// The place of the time of the last edit.
  var updatedAt: Int { members.count + 2 }
  /// The place of the mark of an item that was removed.
  var deleted: Int { members.count + 3 }
  /// The place of the members that the schema does not name.
  var extra: Int { members.count + 4 }
  /// The number of places.
  let count: Int

  /// The form of those items.
  init(_ items: DocumentItems) {
    let members = items.members
    self.members = members
    let first = members.count
    var stored = members.enumerated().map { (name: $1.name, place: $0) }
    stored += [
      ("_id", first), ("createdAt", first + 1), (.documentStamp, first + 2), (.deleted, first + 3), (.extra, first + 4),
    ]
    var places: [Int] = []
    for amount in items.amounts {
      let known = stored.first { $0.name == amount }
      places.append(known?.place ?? stored.count)
      if known == nil { stored.append((amount, stored.count)) }
    }
    self.amounts = places
    count = stored.count
    layout = ObjectLayout(members: stored)
    servedLayout = ObjectLayout(
      inOrder: ["_id"] + members.map(\.name) + ["createdAt", .documentStamp, "deletedAt"])
    sumsLayout = ObjectLayout(inOrder: items.amounts)
    known = Set(members.map(\.name.text)).union(["createdAt"]).union(DocumentForm.metadata)
  }
}
