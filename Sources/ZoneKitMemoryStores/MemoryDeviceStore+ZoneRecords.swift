import ZoneKitRecords
import ZoneKitSync

extension MemoryDeviceStore {
  /// The records of one zone, with indexes and sums.
  struct ZoneRecords: Sendable {
    private(set) var records: [Name: LocalRecord] = [:]
    /// The names of all records, in ascending order.
    private(set) var names: [Name] = []
    /// The number of records of each type that are not deleted locally. There are no zeros.
    private(set) var counts: [Name: Int] = [:]
    /// The size of all field text in bytes.
    private(set) var bytes = 0
    /// The number of records with each `fullFetch`. There are no zeros.
    private var fullFetches: [Int64: Int] = [:]

    /// Adds or replaces a record; removes it if nil. Returns the previous one.
    mutating func replace(_ name: Name, with record: LocalRecord?) -> LocalRecord? {
      let before: LocalRecord?
      if let record {
        before = records.updateValue(record, forKey: name)
        if before == nil { names.insert(name, at: names.place { $0 < name }) }
        if record.local != nil { counts.count(record.recordType) }
        fullFetches.count(record.fullFetch)
        bytes += record.fieldBytes
      } else {
        before = records.removeValue(forKey: name)
        if before != nil { names.remove(at: names.place { $0 < name }) }
      }
      guard let before else { return nil }
      bytes -= before.fieldBytes
      if before.local != nil { counts.uncount(before.recordType) }
      fullFetches.uncount(before.fullFetch)
      return before
    }

    /// The first `limit` records that fulfil the condition, in ascending order of names.
    func filter(atMost limit: Int = .max, _ isWanted: (LocalRecord) -> Bool) -> [LocalRecord] {
      var found: [LocalRecord] = []
      for name in names {
        if found.count >= limit { break }
        if let record = records[name], isWanted(record) { found.append(record) }
      }
      return found
    }

    /// The records whose `fullFetch` is less than that, in ascending order of names. After a full fetch there are
    /// usually none.
    func records(metBefore fullFetch: Int64) -> [LocalRecord] {
      guard let least = fullFetches.keys.min(), least < fullFetch else { return [] }
      return filter { $0.fullFetch < fullFetch }
    }
  }
}

extension Dictionary where Value == Int {
  fileprivate mutating func count(_ key: Key) { self[key, default: 0] += 1 }

  fileprivate mutating func uncount(_ key: Key) {
    let left = (self[key] ?? 0) - 1
    self[key] = left > 0 ? left : nil
  }
}

extension LocalRecord {
  /// The size of the record's field text in the store, in bytes.
  var fieldBytes: Int { (local?.fields.utf8.count ?? 0) + (server?.content.fields.utf8.count ?? 0) }
}

extension Array {
  /// The index of the first element that does not come before. All elements that come before must be at the start.
  func place(after comesBefore: (Element) -> Bool) -> Int {
    var low = 0
    var high = count
    while low < high {
      let middle = (low + high) / 2
      if comesBefore(self[middle]) { low = middle + 1 } else { high = middle }
    }
    return low
  }
}
