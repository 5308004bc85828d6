import Glibc
import ZoneKitRecords
import ZoneKitSQL
import ZoneKitSchema

/// Texts read as schemas.
package enum Samples {
  /// The schema of a to-do app with teams, as somebody writes it by hand.
  package static let teams = file("teams")
  /// The schema of a shop, with keywords in upper case.
  package static let shop = file("shop")
  /// The schema of a chat, as pg_dump writes it.
  package static let chat = file("chat")

  /// The text of a schema of the repository; empty if it cannot be read.
  private static func file(_ name: String) -> String {
    let parts = #filePath.split(separator: "/").dropLast(3)
    let path = "/" + parts.joined(separator: "/") + "/Diagnostics/Schemas/\(name).sql"
    guard let file = fopen(path, "r") else { return "" }
    defer { fclose(file) }
    var bytes: [UInt8] = []
    while case let byte = fgetc(file), byte != EOF { bytes.append(UInt8(truncatingIfNeeded: byte)) }
    return String(decoding: bytes, as: UTF8.self)
  }

  /// What a text says, in a file of that name.
  package static func reading(_ text: String, name: String = "schema.sql") throws(SQLError) -> SchemaReading {
    SchemaReader.read(try SQLTree.parse(text), of: SchemaText(name: name, text), SQLTree.parse)
  }

  /// The problems of a text, as they are printed.
  package static func problems(_ text: String) throws(SQLError) -> [String] {
    try reading(text).problems.map(\.description)
  }

  /// The one statement of a text without problems; nil if it has others, or problems.
  package static func statement(_ text: String) throws(SQLError) -> SchemaStatement? {
    let reading = try reading(text)
    return reading.problems.isEmpty && reading.statements.count == 1 ? reading.statements[0].statement : nil
  }

  /// The expression of a policy, in the normal form; its problems if it has any.
  package static func expression(_ text: String) throws(SQLError) -> String {
    let reading = try reading("create policy p on t using (\(text))")
    guard case .createPolicy(let policy)? = reading.statements.first?.statement else {
      return reading.problems.map(\.description).joined(separator: "\n")
    }
    return policy.using?.sql ?? ""
  }
}
