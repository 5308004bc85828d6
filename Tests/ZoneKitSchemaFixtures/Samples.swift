import ZoneKitRecords
import ZoneKitSQL
import ZoneKitSchema

/// Texts read as schemas.
package enum Samples {
  /// What a text says, in a file of that name.
  package static func reading(_ text: String, name: String = "schema.sql") throws(SQLError) -> SchemaReading {
    SchemaReader.read(try SQLTree.parse(text), of: SchemaText(name: name, text))
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
