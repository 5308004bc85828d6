import Records

/// One batch: which waiting records go, in which order, and as what operations.
struct SendPlan {
  /// The records, in the order of the operations.
  private(set) var records: [LocalRecord] = []
  private(set) var operations: [RecordOperation] = []

  /// Records whose stored text cannot be read, with what is wrong.
  private(set) var unreadable: [(LocalRecord, StoreError)] = []

  /// The first records of a zone's waiting ones that fit: saves first, each behind the new records that it refers to, then
  /// deletions. At least one is taken where one can be read.
  init(_ waiting: [LocalRecord], limit: Int, bytes: Int) {
    var order = SaveOrder(waiting.filter { $0.local != nil })
    let ordered = order.sorted() + waiting.filter { $0.local == nil }
    var room = bytes
    for record in ordered where records.count < limit {
      let size = record.local?.fields.utf8.count ?? 0
      guard size <= room || records.isEmpty else { break }
      do throws(StoreError) {
        operations.append(try Self.operation(record))
        records.append(record)
        room -= size
      } catch {
        unreadable.append((record, error))
      }
    }
  }

  /// A save replaces the whole record, so that a field that the user took away vanishes; the tag says which version the
  /// device has seen.
  private static func operation(_ record: LocalRecord) throws(StoreError) -> RecordOperation {
    let name = record.recordID.recordName
    guard let local = record.local else {
      return RecordOperation(.delete, recordName: name, changeTag: record.server?.changeTag)
    }
    let fields = try local.fields.decoded().sorted.map {
      NamedFieldChange($0.name, .set($0.value, isTyped: true, isEncrypted: $0.isEncrypted))
    }
    return RecordOperation(
      record.server == nil ? .create : .replace, recordName: name, recordType: record.recordType,
      changeTag: record.server?.changeTag, fields: fields, parent: local.parent.map { .set($0) } ?? .keep)
  }
}

/// Puts records behind those new ones that they refer to, and leaves them in their order otherwise.
private struct SaveOrder {
  private let records: [LocalRecord]
  private var positions: [Name: Int] = [:]
  private var isPlaced: [Bool]
  private var result: [LocalRecord] = []

  init(_ records: [LocalRecord]) {
    self.records = records
    isPlaced = Array(repeating: false, count: records.count)
    for (index, record) in records.enumerated() where record.server == nil {
      positions[record.recordID.recordName] = index
    }
  }

  mutating func sorted() -> [LocalRecord] {
    for index in records.indices { place(index) }
    return result
  }

  /// Marked before its targets are placed, so that records that refer to each other come to an end.
  private mutating func place(_ index: Int) {
    guard !isPlaced[index] else { return }
    isPlaced[index] = true
    for target in targets(of: records[index]) {
      if let position = positions[target] { place(position) }
    }
    result.append(records[index])
  }

  /// The records that a record refers to; text that cannot be read refers to none.
  private func targets(of record: LocalRecord) -> [Name] {
    guard let local = record.local, let fields = try? local.fields.decoded() else { return [] }
    return fields.sorted.flatMap { $0.value.references.map(\.recordName) } + (local.parent.map { [$0] } ?? [])
  }
}
