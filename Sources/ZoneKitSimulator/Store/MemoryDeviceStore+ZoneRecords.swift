import ZoneKitRecords
import ZoneKitSync

extension MemoryDeviceStore {
  /// The records of one zone, with their order and their sums at hand.
  struct ZoneRecords: Sendable {
    private(set) var records: [Name: LocalRecord] = [:]
    /// The names of all records, ascending.
    private(set) var names: [Name] = []
    /// How many records of a type are not deleted locally; none is zero.
    private(set) var counts: [Name: Int] = [:]
    /// The bytes of all field text.
    private(set) var bytes = 0
    /// How many records have which `fullFetch`; none is zero.
    private var fullFetches: [Int64: Int] = [:]

    /// Puts a record in, or takes the one of that name out; returns what was there.
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

    /// The first `limit` records for which that is so, ascending by name.
    func filter(atMost limit: Int = .max, _ isWanted: (LocalRecord) -> Bool) -> [LocalRecord] {
      var found: [LocalRecord] = []
      for name in names {
        if found.count >= limit { break }
        if let record = records[name], isWanted(record) { found.append(record) }
      }
      return found
    }

    /// The records whose `fullFetch` is smaller than that, ascending by name. After a full fetch that is mostly none.
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
  /// The bytes of the field text that a store keeps of the record.
  var fieldBytes: Int { (local?.fields.utf8.count ?? 0) + (server?.content.fields.utf8.count ?? 0) }
}

extension Array {
  /// The first place whose element does not come before; all that come before stand at the start.
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
