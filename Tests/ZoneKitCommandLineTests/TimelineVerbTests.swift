import Testing
import ZoneKitStorage

@testable import ZoneKitCommandLine

/// The timelines of failed scenarios.
struct TimelineVerbTests {
  /// A scenario in which B loses what A edits from the second minute on.
  struct Story: Sendable, CustomTestStringConvertible {
    var app: String
    var first: String
    var steps: String
    /// The moment from which A and B differ, without milliseconds.
    var since: String
    var testDescription: String { app + " " + since }

    var text: String {
      """
      scenario "s"
      app \(app)
      devices A, B signed in as nanny
      A \(first)
      expect everyone agrees within 60s
      wait 2m
      \(steps)
      expect everyone agrees within 5s

      """
    }
  }

  private static let twenty = "drop every push to B\nrepeat 20 times\nA logs diaper pee\nwait 10s\nend"
  static let stories = [
    Story(app: "NannyAndMe", first: "logs diaper pee", steps: twenty, since: "2:00"),
    Story(
      app: "NannyAndMe", first: "logs diaper pee",
      steps: "repeat 2 times\nA logs diaper pee\nwait 10s\nend\ndrop every push to B\n"
        + "repeat 3 times\nA logs diaper pee\nwait 10s\nend",
      since: "2:20"),
    Story(
      app: "DietLog", first: "does log lunch as \"x\"",
      steps:
        "drop every push to B\nA does add last Oats 60 g kcal 220\nwait 10m\nA does add last Rice 60 g kcal 220\nwait 10m",
      since: "2:00"),
    Story(
      app: "SwissCoin", first: "does person add \"Ben\"",
      steps: "drop every push to B\nA does spend 10.00 \"a\" for me,\"Ben\"\nwait 10m\n"
        + "A does spend 11.00 \"b\" for me,\"Ben\"\nwait 10m",
      since: "2:06"),
  ]

  private func drawn(_ text: String, as name: String) throws -> String {
    let data = try DataFolder()
    let file = try data.file("s.scenario", text)
    #expect(data.run("run", file, "--timeline", "\(data.path)/\(name)").code == 1)
    return String(decoding: try #require(try Folder.read("\(data.path)/\(name)")), as: UTF8.self)
  }

  @Test(arguments: stories) func `the mark is at the first edit that B does not get`(story: Story) throws {
    let svg = try drawn(story.text, as: "t.svg")
    #expect(
      svg.contains(">They differ since \(story.since)."),
      "\(svg.split(separator: "\n").first { $0.contains("They differ") } ?? "none")")
    #expect(svg.contains(">they differ from here<"))
  }

  @Test func `equal pushes that B does not get are one row`() throws {
    let text = try drawn(Self.stories[0].text, as: "t.txt")
    let dropped = text.split(separator: "\n").filter { $0.contains("dropped") && $0.contains("push: push") }
    #expect(dropped.count == 1)
    #expect(dropped.first?.contains("×20 until 5:10.") == true)
  }

  @Test func `documents are named by their collection and the beginning of their ID`() throws {
    let text = try drawn(Self.stories[2].text, as: "t.txt")
    #expect(text.contains(#/edit: foodLogs [0-9A-Za-z]{8}, recentFoods /#))
    #expect(text.contains("dailySummaries 2027-01-15 tag"))
    #expect(!text.contains("recentFo "))
  }

  @Test func `the conflict of a document names the item and both versions`() throws {
    let steps = """
      B goes offline
      A does add last Oats 60 g kcal 220
      B does add @1 Milk 70 g kcal 130
      wait 40s
      B comes online
      wait 1m
      cut the link of B
      A does add last Rice 60 g kcal 220
      """
    let text = try drawn(
      Story(app: "DietLog", first: "does log lunch as \"x\"", steps: steps, since: "").text, as: "t.txt")
    let conflict = try #require(text.split(separator: "\n").first { $0.contains("conflict: foodLogs ") })
    #expect(conflict.contains("items[\"Milk\"] is missing on server, "))
    #expect(conflict.contains("items[\"Oats\"] is missing on local, "))
  }

  @Test func `a file for a timeline that is no picture and no text is refused before the scenario is played`() throws {
    let data = try DataFolder()
    let run = data.run("run", "dropped-push", "--timeline", "\(data.path)/x.png")
    #expect(run.code == 2)
    #expect(run.output.isEmpty && run.complaints.contains("ends in .svg or .txt, not \(data.path)/x.png"))
    #expect(!Folder.exists("\(data.path)/x.png"))
  }
}
