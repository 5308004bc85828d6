import ZoneKitRecords

/// The authors in a zone file. Each author is stored once, and records refer to it by number.
struct AuthorTable {
  private let insert: Statement
  private let find: Statement
  private let load: Statement
  private let place: String
  private var authors: [Int64: Author] = [:]
  private var numbers: [Key: Int64] = [:]

  /// An author compared byte by byte, as SQLite compares it.
  private struct Key: Hashable {
    let user: Name
    let device: Name
  }

  /// The authors in the file of that connection.
  init(on connection: Connection) {
    place = connection.path
    insert = Statement("INSERT INTO authors(user, device) VALUES(?1, ?2) RETURNING id", on: connection)
    find = Statement("SELECT id FROM authors WHERE user = ?1 AND device = ?2", on: connection)
    load = Statement("SELECT user, device FROM authors WHERE id = ?1", on: connection)
  }

  /// The number of the author. Stores the author if it is new.
  mutating func number(of author: Author) throws(StoreError) -> Int64 {
    let key = Key(user: author.userRecordName, device: Name(author.deviceID))
    if let number = numbers[key] { return number }
    let user = Statement.Value.text(author.userRecordName.text)
    let device = Statement.Value.text(author.deviceID)
    var number = try find.first(user, device) { $0.integer(0) }
    if number == nil { number = try insert.first(user, device) { $0.integer(0) } }
    guard let number else { throw StoreError(.failed, "the new author got no number", place: place) }
    numbers[key] = number
    authors[number] = author
    return number
  }

  /// The author with that number.
  mutating func author(_ number: Int64) throws(StoreError) -> Author {
    if let author = authors[number] { return author }
    let found = try load.first(.integer(number)) { row in
      Author(userRecordName: Name(row.text(0)), deviceID: row.text(1))
    }
    guard let found else { throw StoreError(.corrupt, "author \(number) is missing", place: place) }
    authors[number] = found
    return found
  }

  /// Drops the cache, after a rollback.
  mutating func forget() {
    authors.removeAll()
    numbers.removeAll()
  }
}
