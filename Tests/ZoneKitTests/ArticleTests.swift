import Foundation
import Testing
import ZoneKit

/// What the article about tests of one's own shows.
struct ArticleTests {
  private static let root = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "../..")

  private static func text(of path: String) throws -> String {
    try String(contentsOf: root.appending(path: path), encoding: .utf8)
  }

  private static func article() throws -> String {
    try text(of: "Sources/ZoneKit/Documentation.docc/YourOwnTests.md")
  }

  @Test func `its examples are those of the tests`() throws {
    let examples = try Self.article().components(separatedBy: "```swift\n").dropFirst()
    let tests = try ["ZoneKitTests", "ZoneKitServerTests"].map { try Self.text(of: "Tests/\($0)/ExampleTests.swift") }
    #expect(examples.count == 5)
    for example in examples {
      let code = example.components(separatedBy: "```")[0]
      // An example may leave out what stands between two parts of the file.
      for part in code.components(separatedBy: "\n\n@Test") {
        let text = part.hasPrefix(" func") ? "@Test" + part : part
        #expect(tests.contains { $0.contains(text) }, "no test has this:\n\(text)")
      }
    }
  }

  @Test func `the error of a failed expectation is the one of the article`() throws {
    let world = try worldWithBread()
    world["Ben"].disturbPushes(.drop)
    try world["Anna"].save("milk", ["title": "Milk"])
    let failure = #expect(throws: ExpectationFailure.self) { try world.expectConvergence() }
    // The article folds one line.
    let shown = try Self.article().replacing(":\n     the push", with: ": the push")
    let error = try #require(failure).description.split(separator: "\n").map { "    \($0)" }.joined(separator: "\n")
    let hasError = shown.contains(error)
    #expect(hasError, "the article lacks this:\n\(error)")
  }
}
