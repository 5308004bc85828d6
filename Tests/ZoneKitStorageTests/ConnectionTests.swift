import ZoneKitRecords
import Testing

@testable import ZoneKitStorage

@Suite struct `a connection` {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  private let format = FileFormat(
    name: "test file", applicationID: 0x7A_01, migrations: ["CREATE TABLE t(a TEXT); INSERT INTO t VALUES('first')"])
  private let newer = FileFormat(
    name: "test file", applicationID: 0x7A_01,
    migrations: [
      "CREATE TABLE t(a TEXT); INSERT INTO t VALUES('first')", "ALTER TABLE t ADD b INTEGER; UPDATE t SET b = 7",
    ])

  @Test func `brings an older file up to date and keeps what is in it`() throws {
    _ = try Connection(folder + "f", as: format, access: .create)
    let connection = try Connection(folder + "f", as: newer, access: .existing)
    let rows = try Statement("SELECT a, b FROM t", on: connection).all { "\($0.text(0)) \($0.integer(1))" }
    #expect(rows == ["first 7"])
    #expect(try Statement("PRAGMA user_version", on: connection).first { $0.integer(0) } == 2)
    #expect(try Statement("PRAGMA application_id", on: connection).first { $0.integer(0) } == 0x7A_01)
  }

  @Test func `leaves an older file as it was where a step fails`() throws {
    _ = try Connection(folder + "f", as: format, access: .create)
    let broken = FileFormat(
      name: "test file", applicationID: 0x7A_01, migrations: format.migrations + ["DELETE FROM t; SELECT nonsense"])
    let error = #expect(throws: StoreError.self) { try Connection(folder + "f", as: broken, access: .existing) }
    #expect(error?.message.contains("no such column: nonsense") == true)
    let connection = try Connection(folder + "f", as: format, access: .existing)
    #expect(try Statement("SELECT a FROM t", on: connection).all { $0.text(0) } == ["first"])
  }

  @Test func `refuses a file that a newer program wrote`() throws {
    _ = try Connection(folder + "f", as: newer, access: .create)
    let error = #expect(throws: StoreError.self) { try Connection(folder + "f", as: format, access: .existing) }
    #expect(error?.place == folder + "f")
    #expect(
      error?.message
        == "the test file has version 2, this program knows versions up to 1: use a newer one")
  }

  @Test func `refuses a database of another kind`() throws {
    let other = FileFormat(name: "other file", applicationID: 5, migrations: ["CREATE TABLE u(a)"])
    let unmarked = FileFormat(name: "unmarked file", applicationID: 0, migrations: ["CREATE TABLE u(a)"])
    for (name, kind) in [("other", other), ("unmarked", unmarked)] {
      _ = try Connection(folder + name, as: kind, access: .create)
      let error = #expect(throws: StoreError.self) { try Connection(folder + name, as: format, access: .create) }
      #expect(error?.kind == .corrupt)
      #expect(error?.message.hasPrefix("this is a SQLite database, but not a test file") == true)
    }
  }

  @Test func `refuses a file that is no database, by SQLite's own word`() throws {
    try Folder.write(Array(String(repeating: "no database ", count: 100).utf8), to: folder + "f")
    let error = #expect(throws: StoreError.self) { try Connection(folder + "f", as: format, access: .create) }
    #expect(error?.kind == .corrupt)
    #expect(error?.message.hasPrefix("SQLITE_NOTADB (26): file is not a database") == true)
    #expect(error?.place == folder + "f")
  }

  @Test func `does not make a file that should be there`() throws {
    for access in [Access.existing, .observe] {
      let error = #expect(throws: StoreError.self) { try Connection(folder + "f", as: format, access: access) }
      #expect(error?.message.hasPrefix("SQLITE_CANTOPEN (14): unable to open database file") == true)
      #expect(error?.message.contains("No such file or directory (errno 2)") == true)
    }
    #expect(try Folder.names(in: folder.path) == [])
  }

  @Test func `names the statement that failed`() throws {
    let connection = try Connection(folder + "f", as: format, access: .create)
    let error = #expect(throws: StoreError.self) { try Statement("SELECT x FROM t", on: connection).run() }
    #expect(error?.kind == .failed)
    #expect(error?.message == "SQLITE_ERROR (1): no such column: x; SQL: SELECT x FROM t")
  }

  @Test func `keeps text to the last byte, NUL included`() throws {
    let connection = try Connection(folder + "f", as: format, access: .create)
    for text in ["", "a\u{0}b", "\u{0}", "e\u{301}"] {
      try Statement("UPDATE t SET a = ?1", on: connection).run(.text(text))
      let found = try Statement("SELECT a FROM t", on: connection).first { Array($0.utf8(0)) }
      #expect(found == Array(text.utf8))
      #expect(try Statement("SELECT typeof(a) FROM t", on: connection).first { $0.text(0) } == "text")
    }
  }

  @Test func `undoes a transaction whose body fails`() throws {
    let connection = try Connection(folder + "f", as: format, access: .create)
    #expect(throws: StoreError.self) {
      try connection.transaction { () throws(StoreError) in
        try connection.execute("DELETE FROM t")
        throw StoreError(.failed, "enough", place: "here")
      }
    }
    #expect(try Statement("SELECT a FROM t", on: connection).all { $0.text(0) } == ["first"])
    try connection.transaction { () throws(StoreError) in try connection.execute("DELETE FROM t") }
    #expect(try Statement("SELECT a FROM t", on: connection).all { $0.text(0) } == [])
  }

  @Test func `opens a path that begins with two slashes`() throws {
    _ = try Connection("/" + (folder + "f"), as: format, access: .create)
    let connection = try Connection(folder + "f", as: format, access: .observe)
    #expect(try Statement("SELECT a FROM t", on: connection).all { $0.text(0) } == ["first"])
  }

  @Test(arguments: ["a%41b", "a?b", "a#b", "é 日"])
  func `opens a file with any name`(name: String) throws {
    _ = try Connection(folder + name, as: format, access: .create)
    _ = try Connection(folder + name, as: format, access: .observe)
    #expect(try Folder.names(in: folder.path) == [name])
  }
}
