import Foundation
import Testing
import ZoneKitRecords
import ZoneKitWire

@Suite struct `the table of faults in the documentation` {
  /// The rows of the table: word, meaning and example.
  private static func rows() throws -> [(word: String, meaning: String, example: String)] {
    let package = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
      .deletingLastPathComponent()
    let page = package.appending(path: "Sources/ZoneKit/Documentation.docc/HTTP.md")
    let lines = try String(contentsOf: page, encoding: .utf8).split(separator: "\n", omittingEmptySubsequences: false)
    let head = try #require(lines.firstIndex(of: "| `do` | what happens | example |"))
    return lines[(head + 2)...].prefix { $0.hasPrefix("|") }.map { line in
      let cells = line.dropFirst(2).dropLast(2).split(separator: " | ").map { String($0) }
      return (cells[0].filter { $0 != "`" }, cells[1], cells[2].filter { $0 != "`" })
    }
  }

  @Test func `has every word once, with a meaning`() throws {
    let rows = try Self.rows()
    #expect(rows.map(\.word).sorted() == FaultAction.words.sorted())
    #expect(rows.allSatisfy { !$0.meaning.isEmpty })
  }

  @Test func `has examples of these words that a server takes`() throws {
    for row in try Self.rows() {
      let example = try JSON(parsing: row.example)
      #expect(example["do"]?.string == row.word)
      let faults = try FaultDocument(["faults": [example]]).faults
      let listed = FaultDocument.json(of: [PlannedFault(id: 1, fault: faults[0])])["faults"]?.array?.first
      #expect(listed?["do"]?.string == row.word)
    }
  }
}
