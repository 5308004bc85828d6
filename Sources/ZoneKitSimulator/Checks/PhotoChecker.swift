import ZoneKitRecords
import ZoneKitTables

/// The photos that users gave to rows and that no row names yet. None of them may be forgotten.
package struct PhotoChecker: Sendable {
  private var given: [Int: [RecordID: PhotoName]] = [:]
  /// The rows of each device whose last upload was refused for good.
  private var refused: [Int: Set<RecordID>] = [:]
  /// The objects that a purge removed although a row was about to name them.
  private var purged: Set<Name> = []

  /// A checker at the start.
  package init() {}

  /// The user of a device gave a row that photo, or took the row's photo away if nil.
  package mutating func gave(_ photo: PhotoName?, to record: RecordID, on device: Int) {
    given[device, default: [:]][record] = photo
    refused[device]?.remove(record)
  }

  /// A device gets that outcome of the upload of a row's photo.
  package mutating func answered(_ outcome: ObjectOutcome, to record: RecordID, on device: Int) {
    guard case .refused(let refusal) = outcome, (400..<500).contains(refusal.status),
      ![401, 408, 429].contains(refusal.status), !refusal.message.contains("JWT")
    else { return }
    refused[device, default: []].insert(record)
  }

  /// Whether a device may stop trying to upload the photo of a row.
  package func maySetAside(_ record: RecordID, on device: Int) -> Bool { refused[device]?.contains(record) ?? false }

  /// A purge removed those objects, because no row named them yet.
  package mutating func purge(objects: some Sequence<Name>) { purged.formUnion(objects) }

  /// A purge removed those rows. The photos that users gave to them go with them.
  package mutating func purge(rows: [RecordID]) {
    for device in given.keys { for row in rows { given[device]?[row] = nil } }
  }

  /// Whether an object may be missing although a row names it.
  package func mayLack(_ object: Name) -> Bool { purged.contains(object) }

  /// A device named the photo in the row, or stored why the service refused it.
  package mutating func settled(_ record: RecordID, on device: Int) { given[device]?[record] = nil }

  /// The store of a device was replaced or its account changed.
  package mutating func forget(_ device: Int) { given[device] = nil }

  /// The rows of a device whose photos are neither named nor settled, ascending.
  package func open(on device: Int) -> [(record: RecordID, photo: PhotoName)] {
    (given[device] ?? [:]).sorted { $0.key < $1.key }.map { ($0.key, $0.value) }
  }
}
