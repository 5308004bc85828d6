import ZoneKitRecords
import ZoneKitCloud

/// Everything of a damaged zone file that can be read.
struct ZoneSalvage {
  /// The zone's header; nil if it cannot be read.
  private(set) var header: ZoneHeader?
  /// The records and tombstones, with their references, in ascending order of their sequences.
  private(set) var records: [StoredRecord] = []
  /// Whether something may be missing.
  private(set) var isIncomplete = true
  /// Whether the file belongs to another zone. Then nothing of it is read.
  private(set) var isForeign = false
  private let key: ZoneKey
  /// The author that stands for one that the file lacks: the user of the database.
  private let unknownAuthor: Author
  private var found: [Int64: StoredRecord] = [:]
  /// The number of rows that are damaged.
  private var damaged = 0

  /// The most sequences that are tried one by one between the readable ends of a feed.
  private static let gapLimit: Int64 = 1_000_000

  /// Reads the file of that zone. Throws if it cannot be opened for another reason than damage, for example because a
  /// newer version wrote it.
  init(path: String, of key: ZoneKey) throws(StoreError) {
    self.key = key
    unknownAuthor = Author(userRecordName: UserRecordName.of(user: key.database.user), deviceID: "")
    if let file = try Self.opened(path) { read(file) }
    if header == nil, found.isEmpty, !isForeign {
      try FirstPage.replace(of: path) { path throws(StoreError) in
        _ = try ZoneFile(path, of: nil, access: .create, durability: .off, checkpointPages: 1000)
      } read: { path throws(StoreError) in
        if let file = try Self.opened(path) { read(file) }
      }
    }
    keep()
  }

  /// The file, also if it lacks pages; nil if nothing of it can be read.
  private static func opened(_ path: String) throws(StoreError) -> ZoneFile? {
    guard !Folder.isEmpty(path) else { return nil }
    do throws(StoreError) {
      return try ZoneFile(
        path, of: nil, access: .observe, durability: .full, checkpointPages: 0, isDamaged: true)
    } catch {
      guard error.kind == .corrupt else { throw error }
      return nil
    }
  }

  /// Reads the header, the feed from both of its ends, and what lies between them one by one.
  private mutating func read(_ file: ZoneFile) {
    header = (try? file.header()) ?? nil
    let origin = file.connection.hasOrigin ? (try? file.connection.storedOrigin()) ?? nil : nil
    isForeign = header?.zoneName ?? key.zoneName != key.zoneName || origin?.databaseID ?? key.database != key.database
    guard !isForeign else { return }
    guard let first = read(file.feedForwards, from: .min, of: file, while: { _ in true }) else { return }
    let last = read(file.feedBackwards, from: .max, of: file) { $0 > first } ?? first
    let gap = (first + 1)..<max(last, first + 1)
    let one = Statement("SELECT \(file.readColumns) FROM records WHERE seq = ?1", on: file.connection)
    for sequence in Self.indexed(in: file, within: gap) + Self.ends(of: gap) where found[sequence] == nil {
      let record = (try? one.first(.integer(sequence)) { salvaged($0, of: file) }) ?? nil
      if let record { found[sequence] = record }
    }
  }

  /// The sequences in that range that the index over the names holds, as far as it can be read from its two ends.
  private static func indexed(in file: ZoneFile, within gap: Range<Int64>) -> [Int64] {
    guard !gap.isEmpty else { return [] }
    var known: Set<Int64> = []
    for order in ["ASC", "DESC"] {
      let names = Statement("SELECT seq FROM records ORDER BY name \(order)", on: file.connection)
      do throws(StoreError) {
        try names.visit { row in
          if gap.contains(row.integer(0)) { known.insert(row.integer(0)) }
          return true
        }
        break
      } catch {
        continue
      }
    }
    return known.sorted()
  }

  /// The sequences of a range; of a large one those at its ends.
  private static func ends(of gap: Range<Int64>) -> [Int64] {
    guard Int64(gap.count) > gapLimit else { return Array(gap) }
    return Array(gap.prefix(Int(gapLimit / 2))) + Array(gap.suffix(Int(gapLimit / 2)))
  }

  /// Reads rows until the end, an unreadable page, or a sequence that is not `wanted`. Returns the sequence of the last
  /// readable row before an unreadable page; nil if there is no such page.
  private mutating func read(
    _ statement: Statement, from start: Int64, of file: ZoneFile, while wanted: (Int64) -> Bool
  ) -> Int64? {
    var last = start
    do throws(StoreError) {
      try statement.visit(.integer(start)) { row throws(StoreError) in
        let sequence = row.integer(0)
        guard wanted(sequence) else { return false }
        last = sequence
        if let record = salvaged(row, of: file) { found[sequence] = record } else { damaged += 1 }
        return true
      }
      return nil
    } catch {
      return last == start ? (start == .min ? 0 : start) : last
    }
  }

  /// The record of a row; nil if it is damaged.
  private func salvaged(_ row: Row, of file: ZoneFile) -> StoredRecord? {
    guard var record = try? file.record(row, unknown: unknownAuthor), record.sequence > 0 else { return nil }
    guard !record.isDeleted else { return record }
    guard let fields = try? record.fields.decoded() else { return nil }
    record.references = fields.bindingReferences(from: record.recordName)
    return record
  }

  /// Keeps the newest version of each record. Nothing is missing if there are as many as the header counts.
  private mutating func keep() {
    var newest: [Name: StoredRecord] = [:]
    for record in found.values where record.sequence > newest[record.recordName]?.sequence ?? 0 {
      newest[record.recordName] = record
    }
    records = newest.values.sorted { $0.sequence < $1.sequence }
    guard let header, damaged == 0 else { return }
    let live = records.count { !$0.isDeleted }
    isIncomplete = live < header.recordCount || records.count - live < header.tombstoneCount
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
