import Foundation
import Testing
import ZoneKit

/// What the article about tests of one's own shows.
struct ArticleTests {
  @Test func `the error of a failed expectation is the one of the article`() throws {
    let article = URL(filePath: #filePath).deletingLastPathComponent()
      .appending(path: "../../Sources/ZoneKit/Documentation.docc/YourOwnTests.md")
    let world = try worldWithBread()
    world["Ben"].disturbPushes(.drop)
    try world["Anna"].save("milk", ["title": "Milk"])
    let failure = #expect(throws: ExpectationFailure.self) { try world.expectConvergence() }
    // The article folds one line.
    let shown = try String(contentsOf: article, encoding: .utf8).replacing(":\n     the push", with: ": the push")
    let error = try #require(failure).description.split(separator: "\n").map { "    \($0)" }.joined(separator: "\n")
    let hasError = shown.contains(error)
    #expect(hasError, "the article lacks this:\n\(error)")
  }
}
