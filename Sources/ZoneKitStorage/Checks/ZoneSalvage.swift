import ZoneKitRecords
import ZoneKitCloud

/// Everything of a damaged zone file that can be read.
struct ZoneSalvage {
  /// The zone's header; nil if it cannot be read.
  private(set) var header: ZoneHeader?
  /// The records and tombstones, with their references, in ascending order of their sequences.
  private(set) var records: [StoredRecord] = []
  /// Whether something may be missing.
  private(set) var isIncomplete = false

  /// The most sequences that are tried one by one between the readable ends of a feed.
  private static let gapLimit: Int64 = 1_000_000

  /// Reads that file. Throws if it cannot be opened for another reason than damage, for example because a newer version
  /// wrote it.
  init(path: String, zoneName: Name) throws(StoreError) {
    guard let file = try Self.opened(path) else {
      isIncomplete = true
      return
    }
    do throws(StoreError) {
      header = try file.header()
    } catch {
      isIncomplete = true
    }
    if header == nil || header?.zoneName != zoneName { isIncomplete = true }
    read(file)
  }

  /// The file; nil if nothing of it can be read.
  private static func opened(_ path: String) throws(StoreError) -> ZoneFile? {
    guard !Folder.isEmpty(path) else { return nil }
    do throws(StoreError) {
      return try ZoneFile(path, access: .observe, durability: .full, checkpointPages: 0)
    } catch {
      guard error.kind == .corrupt else { throw error }
      return nil
    }
  }

  /// Reads the feed from both of its ends, and what lies between them one by one.
  private mutating func read(_ file: ZoneFile) {
    var found: [Int64: StoredRecord] = [:]
    let first = read(file.feedForwards, from: .min, of: file, into: &found) { _ in true }
    guard let first else { return keep(found) }
    isIncomplete = true
    let last = read(file.feedBackwards, from: .max, of: file, into: &found) { $0 > first } ?? first
    let gap = (first + 1)..<max(last, first + 1)
    guard !gap.isEmpty, gap.upperBound - gap.lowerBound <= Self.gapLimit else { return keep(found) }
    let one = Statement("SELECT \(file.readColumns) FROM records WHERE seq = ?1", on: file.connection)
    for sequence in gap {
      let record = (try? one.first(.integer(sequence)) { salvaged($0, of: file) }) ?? nil
      if let record { found[sequence] = record }
    }
    keep(found)
  }

  /// Reads rows until the end, an unreadable page, or a sequence that is not `wanted`. Returns the sequence of the last
  /// readable row before an unreadable page; nil if there is no such page.
  private mutating func read(
    _ statement: Statement, from start: Int64, of file: ZoneFile, into found: inout [Int64: StoredRecord],
    while wanted: (Int64) -> Bool
  ) -> Int64? {
    var last = start
    do throws(StoreError) {
      try statement.visit(.integer(start)) { row throws(StoreError) in
        let sequence = row.integer(0)
        guard wanted(sequence) else { return false }
        last = sequence
        if let record = salvaged(row, of: file) { found[sequence] = record } else { isIncomplete = true }
        return true
      }
      return nil
    } catch {
      return last == start ? (start == .min ? 0 : start) : last
    }
  }

  /// The record of a row; nil if it is damaged.
  private func salvaged(_ row: Row, of file: ZoneFile) -> StoredRecord? {
    guard var record = try? file.record(row), record.sequence > 0 else { return nil }
    guard !record.isDeleted else { return record }
    guard let fields = try? record.fields.decoded() else { return nil }
    record.references = fields.bindingReferences(from: record.recordName)
    return record
  }

  private mutating func keep(_ found: [Int64: StoredRecord]) {
    var newest: [Name: StoredRecord] = [:]
    for record in found.values where record.sequence > newest[record.recordName]?.sequence ?? 0 {
      newest[record.recordName] = record
    }
    records = newest.values.sorted { $0.sequence < $1.sequence }
  }

  /// The types of the fields of all records, as their first saves set them.
  var definitions: [FieldDefinition] {
    var known: Set<[Name]> = []
    var definitions: [FieldDefinition] = []
    for record in records where !record.isDeleted {
      for field in (try? record.fields.decoded())?.sorted ?? []
      where known.insert([record.recordType, field.name]).inserted {
        definitions.append(
          FieldDefinition(recordType: record.recordType, field: field.name, type: field.value.type))
      }
    }
    return definitions
  }
}

extension Fields {
  /// The binding references within the zone, in ascending order of field and target, one for each field and target.
  fileprivate func bindingReferences(from source: Name) -> [StoredReference] {
    var found: [StoredReference] = []
    for field in sorted {
      for reference in field.value.references where reference.action != .none {
        let new = StoredReference(
          source: source, field: field.name, target: reference.recordName, action: reference.action)
        if !found.contains(where: { $0.field == new.field && $0.target == new.target }) { found.append(new) }
      }
    }
    return found.sorted { ($0.field, $0.target) < ($1.field, $1.target) }
  }
}
