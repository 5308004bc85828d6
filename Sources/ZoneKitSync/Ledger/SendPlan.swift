import ZoneKitRecords

/// One batch: the pending records in it, their order, and their operations.
struct SendPlan {
  /// The records, in the order of the operations.
  private(set) var records: [LocalRecord] = []
  private(set) var operations: [RecordOperation] = []

  /// The records whose stored text cannot be read, with the errors.
  private(set) var unreadable: [(LocalRecord, StoreError)] = []

  /// A batch of the first pending records of a zone that fit: saves first, each after the new records to which it
  /// refers, then deletions. It has at least one record if any can be read.
  /// `isNumbered` tells whether the operations carry the numbers of the changes, and `hasChangesOnly` whether a save of a
  /// record that the cloud has names only the fields that differ.
  init(
    _ waiting: [LocalRecord], limit: Int, bytes: Int, isNumbered: Bool = false, hasChangesOnly: Bool = false
  ) {
    var order = SendOrder(waiting)
    var room = bytes
    // Taken one by one, because records that do not fit need not be read.
    while records.count < limit, let next = order.next() {
      let record = next.record
      let size = record.local?.fields.utf8.count ?? 0
      guard size <= room || records.isEmpty else { break }
      switch next.fields {
      case .failure(let error): unreadable.append((record, error))
      case .success(let fields):
        var operation = hasChangesOnly ? Self.update(record, fields) : Self.operation(record, fields)
        operation.revision = isNumbered ? record.revision : nil
        operations.append(operation)
        records.append(record)
        room -= size
      }
    }
  }

  /// The operation for a record. A save replaces the whole record, so that fields that the user removed disappear. The
  /// change tag is that of the version that the device has seen.
  private static func operation(_ record: LocalRecord, _ fields: Fields) -> RecordOperation {
    let name = record.recordID.recordName
    guard let local = record.local else {
      return RecordOperation(.delete, recordName: name, changeTag: record.server?.changeTag)
    }
    let changes = fields.sorted.map {
      NamedFieldChange($0.name, .set($0.value, isTyped: true, isEncrypted: $0.isEncrypted))
    }
    return RecordOperation(
      record.server == nil ? .create : .replace, recordName: name, recordType: record.recordType,
      changeTag: record.server?.changeTag, fields: changes, parent: local.parent.map { .set($0) } ?? .keep)
  }

  /// The same with an update of the fields that differ from the version that the device has seen. A version that cannot be
  /// read differs in each field.
  private static func update(_ record: LocalRecord, _ fields: Fields) -> RecordOperation {
    var operation = operation(record, fields)
    guard operation.kind == .replace else { return operation }
    operation.kind = .update
    let seen = (try? record.server?.content.fields.decoded()) ?? Fields()
    let changed = Set(FieldMerge.differences(fields, seen))
    operation.fields.removeAll { !changed.contains($0.name) }
    operation.fields += changed.subtracting(operation.fields.map(\.name)).map { NamedFieldChange($0, .clear) }
    operation.fields.sort { $0.name < $1.name }
    return operation
  }
}

/// Puts each save after those of the new records to which it refers, otherwise keeps the order, and puts deletions
/// last.
/// A record is decoded when its turn comes, once.
private struct SendOrder: IteratorProtocol {
  /// A record, and what is in its text; nothing in a deletion.
  struct Element {
    var record: LocalRecord
    var fields: Result<Fields, StoreError>
  }

  private let saves: [LocalRecord]
  private let deletions: [LocalRecord]
  /// The positions of new records among the saves.
  private var positions: [Name: Int] = [:]
  private var isPlaced: [Bool]
  /// The position of the next save.
  private var position = 0
  private var placed: [Element] = []
  private var taken = 0

  init(_ records: [LocalRecord]) {
    saves = records.filter { $0.local != nil }
    deletions = records.filter { $0.local == nil }
    isPlaced = Array(repeating: false, count: saves.count)
    for (index, record) in saves.enumerated() where record.server == nil {
      positions[record.recordID.recordName] = index
    }
  }

  mutating func next() -> Element? {
    while taken == placed.count, position < saves.count {
      place(position)
      position += 1
    }
    defer { taken += 1 }
    if taken < placed.count { return placed[taken] }
    let deletion = taken - placed.count
    return deletion < deletions.count ? Element(record: deletions[deletion], fields: .success(Fields())) : nil
  }

  /// Places a save after its targets. It is marked as placed before its targets are, so that cycles of references end.
  private mutating func place(_ index: Int) {
    guard !isPlaced[index] else { return }
    isPlaced[index] = true
    let save = Self.element(saves[index])
    for target in Self.targets(of: save) {
      if let position = positions[target] { place(position) }
    }
    placed.append(save)
  }

  private static func element(_ record: LocalRecord) -> Element {
    Element(record: record, fields: Result { () throws(StoreError) in try record.local?.fields.decoded() ?? Fields() })
  }

  /// The records to which a record refers; none if its text cannot be read.
  private static func targets(of save: Element) -> [Name] {
    guard case .success(let fields) = save.fields else { return [] }
    return fields.sorted.flatMap { $0.value.references.map(\.recordName) }
      + (save.record.local?.parent.map { [$0] } ?? [])
  }
}
