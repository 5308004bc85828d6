/// A page of a zone's change feed in one block of memory. Rows are ranges into `bytes`.
///
/// A page of 200 records needs three allocations instead of a thousand, and a server copies the ranges to its answer
/// unchanged. Devices read it through `changes`.
public struct RecordPage: Hashable, Sendable {
  /// A record or tombstone of the page. Its ranges refer to the page's bytes, which are UTF-8.
  public struct Row: Hashable, Sendable {
    /// The record's name.
    package var name: Range<Int>
    /// The record's type; empty for a tombstone.
    package var type: Range<Int>
    /// The record's canonical field text; empty for a tombstone.
    package var fields: Range<Int>
    /// The record's change tag.
    package var tag: Range<Int>
    /// The name of the record's parent; empty if it has none.
    package var parent: Range<Int>
    /// The name of the share record that shares the record; empty if there is none.
    package var share = 0..<0
    /// When the record was created.
    package var createdAt: WallTime
    /// The index of its creator in the page's authors.
    package var createdBy: Int
    /// When the record was last saved or deleted.
    package var modifiedAt: WallTime
    /// The index of its last author in the page's authors.
    package var modifiedBy: Int
    /// Whether this is a tombstone.
    package var isDeleted: Bool
    /// The number of saves of the record, which only a store knows; 0 in an answer.
    package var version: Int64

    /// A row with these ranges.
    package init(
      name: Range<Int>, type: Range<Int>, fields: Range<Int>, tag: Range<Int>, parent: Range<Int>,
      createdAt: WallTime, createdBy: Int, modifiedAt: WallTime, modifiedBy: Int, isDeleted: Bool,
      version: Int64 = 0
    ) {
      self.name = name
      self.type = type
      self.fields = fields
      self.tag = tag
      self.parent = parent
      self.createdAt = createdAt
      self.createdBy = createdBy
      self.modifiedAt = modifiedAt
      self.modifiedBy = modifiedBy
      self.isDeleted = isDeleted
      self.version = version
    }
  }

  /// The bytes to which the rows' ranges refer.
  package private(set) var bytes: [UInt8]
  /// The page's rows in feed order.
  package private(set) var rows: [Row]
  /// The authors to which the rows refer by index.
  package private(set) var authors: [Author]

  /// A page of these parts. Every range has to be within `bytes`, and every index within `authors`.
  package init(bytes: [UInt8], rows: [Row], authors: [Author]) {
    self.bytes = bytes
    self.rows = rows
    self.authors = authors
  }

  /// A page with these changes, in order. A change has no author and time for a tombstone, so those of deleted rows are
  /// zero.
  public init(_ changes: [RecordChange] = []) {
    self.init(bytes: [], rows: [], authors: [])
    for change in changes { append(change) }
  }

  /// The number of records and tombstones in the page.
  public var count: Int { rows.count }

  /// The page's entries as values.
  public var changes: [RecordChange] { rows.map(change) }

  /// The entry at that index as a value.
  package func change(at index: Int) -> RecordChange { change(rows[index]) }

  /// Adds an entry at the end of the page.
  public mutating func append(_ change: RecordChange) {
    switch change {
    case .saved(let record): append(record)
    case .deleted(let recordName, let changeTag):
      let none = bytes.count..<bytes.count
      let zero = WallTime(milliseconds: 0)
      rows.append(
        Row(
          name: add(recordName.text), type: none, fields: none, tag: add(changeTag.text), parent: none,
          createdAt: zero, createdBy: index(of: Author(userRecordName: "")), modifiedAt: zero,
          modifiedBy: index(of: Author(userRecordName: "")), isDeleted: true))
    }
  }

  /// Adds a record or tombstone as a store has it, with its author and time.
  package mutating func append(_ record: Record, isDeleted: Bool, version: Int64) {
    append(record)
    let last = rows.count - 1
    rows[last].version = version
    rows[last].isDeleted = isDeleted
    if isDeleted { (rows[last].type, rows[last].fields) = (bytes.count..<bytes.count, bytes.count..<bytes.count) }
  }

  /// Adds a row whose ranges and authors are those of this page.
  package mutating func append(_ row: Row) { rows.append(row) }

  /// The text of a range of the page.
  package func text(_ range: Range<Int>) -> String { String(decoding: bytes[range], as: UTF8.self) }

  /// The page, in which records have the shares that `share` returns for their names.
  package func sharing(_ share: (Name) -> Name?) -> RecordPage {
    var page = self
    for index in page.rows.indices where !page.rows[index].isDeleted {
      guard let name = share(Name(text(page.rows[index].name))) else { continue }
      page.rows[index].share = page.add(name.text)
    }
    return page
  }

  /// The name of a row's parent; nil if it has none.
  package func parent(of row: Row) -> Name? { row.parent.isEmpty ? nil : Name(text(row.parent)) }

  private mutating func append(_ record: Record) {
    let fieldsStart = bytes.count
    bytes.append(contentsOf: record.fields.utf8)
    let fields = fieldsStart..<bytes.count
    rows.append(
      Row(
        name: add(record.recordName.text), type: add(record.recordType.text), fields: fields,
        tag: add(record.changeTag.text), parent: add(record.parent?.text ?? ""),
        createdAt: record.created.at, createdBy: index(of: record.created.author),
        modifiedAt: record.modified.at, modifiedBy: index(of: record.modified.author), isDeleted: false))
    if let share = record.share { rows[rows.count - 1].share = add(share.text) }
  }

  private func change(_ row: Row) -> RecordChange {
    let name = Name(text(row.name))
    let tag = ChangeTag(text(row.tag))
    guard !row.isDeleted else { return .deleted(recordName: name, changeTag: tag) }
    return .saved(
      Record(
        recordName: name, recordType: Name(text(row.type)),
        fields: EncodedFields(canonical: Array(bytes[row.fields])), changeTag: tag,
        created: Authorship(at: row.createdAt, author: authors[row.createdBy]),
        modified: Authorship(at: row.modifiedAt, author: authors[row.modifiedBy]),
        parent: parent(of: row),
        share: row.share.isEmpty ? nil : Name(text(row.share))))
  }

  private mutating func add(_ text: String) -> Range<Int> {
    let start = bytes.count
    bytes.append(contentsOf: text.utf8)
    return start..<bytes.count
  }

  private mutating func index(of author: Author) -> Int {
    if let index = authors.firstIndex(of: author) { return index }
    authors.append(author)
    return authors.count - 1
  }
}

extension RecordPage {
  /// The page with each entry repeated as `count` returns for its record.
  package func repeating(_ count: (Name) -> Int) -> RecordPage {
    let rows = rows.flatMap { row in Array(repeating: row, count: count(Name(text(row.name)))) }
    return RecordPage(bytes: bytes, rows: rows, authors: authors)
  }
}
