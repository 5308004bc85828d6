import ZoneKitScenarios
import ZoneKitTimeline
import ZoneKitRecords
import ZoneKitService
import ZoneKitSimulator
import ZoneKitStorage

/// The report of a failed seed: the shortest story that violates the same invariant, its timeline, a scenario file that
/// reproduces it, and the command that plays that file.
struct FailureReport {
  private let swarm: Swarm
  private let words: Invocation
  /// The number of steps in the original story.
  private let stepsBefore: Int
  private let shrunk: Shrunk
  private let picture: String
  private let scenario: String
  /// The violation when the scenario file is parsed and played, if it is a different one; nil if it is the same.
  private let instead: String?

  /// Shrinks the story of a seed, and writes the timeline and the scenario file; nil if the seed does not fail. Throws
  /// if a file cannot be written.
  init?(_ swarm: Swarm, seed: UInt64, _ words: Invocation) throws(ExitFailure) {
    let story = swarm.story(seed: seed)
    Console.complain("shrinking the story of seed \(seed), which has \(story.steps.count.counted("step"))")
    do throws(PlayingError) {
      guard let shrunk = try Shrinker.shortest(of: story) else { return nil }
      self.shrunk = shrunk
    } catch {
      throw .unavailable("seed \(seed): \(error)")
    }
    self.swarm = swarm
    self.words = words
    stepsBefore = story.steps.count
    let timeline = Timeline(shrunk.outcome.trace, title: "seed \(seed), shrunk")
    picture =
      words.has("--html")
      ? try Self.write(timeline.html, to: "seed-\(seed).html", words)
      : try Self.write(timeline.svg, to: "seed-\(seed).svg", words)
    var told = shrunk.scenario
    if let file = told.appFile, let text = file.text {
      let name = "seed-\(seed)\(file.path.hasSuffix(".json") ? ".json" : ".sql")"
      told.appFile?.path = name
      _ = try Self.write(String(decoding: text, as: UTF8.self), to: name, words)
    }
    scenario = try Self.write(told.text, to: "seed-\(seed).scenario", words)
    let broken = Self.firstViolation(of: told)
    instead = broken?.rule == shrunk.outcome.violations.first?.rule ? nil : broken?.description ?? "nothing"
  }

  /// The first violation when a scenario's text is parsed and played; nil if there is none.
  private static func firstViolation(of scenario: Scenario) -> Violation? {
    guard var read = try? Scenario(parsing: scenario.text) else { return nil }
    read.appFile = scenario.appFile
    guard let apps = try? AppTable.apps(of: read), var player = try? ScenarioPlayer(read, apps: apps) else {
      return nil
    }
    return player.play().violations.first
  }

  private static func write(_ text: String, to name: String, _ words: Invocation) throws(ExitFailure) -> String {
    let folder = "\(words.dataDirectory)/diagnostics"
    do throws(StoreError) {
      try Folder.make(folder)
      try Folder.write(Array(text.utf8), to: "\(folder)/\(name)")
    } catch {
      throw .unavailable("\(folder)/\(name): \(error.message)")
    }
    return "\(folder)/\(name)"
  }

  // MARK: Output

  /// The trace of the shortest story, one line per event.
  var trace: [String] { shrunk.outcome.trace.lines }

  /// The report as lines of text.
  var lines: [String] {
    var lines = ["the shortest story that fails the same way, seed \(shrunk.story.seed):"]
    lines += sentences.map { "  \($0)" }
    lines += shrunk.outcome.violations.prefix(1).map { "broken:   \($0)" }
    lines.append("\(stepsBefore.counted("step")) reduced to \(sentences.count) in \(shrunk.plays.counted("play"))")
    lines.append("picture:  \(picture)")
    if let instead {
      lines.append("scenario: \(scenario), which does NOT fail the same way: it breaks \(instead)")
    } else {
      lines += ["scenario: \(scenario)", "again:    \(again)"]
    }
    return lines + ["whole:    \(repeating)"]
  }

  /// The steps of the story.
  private var sentences: [String] { shrunk.story.steps.map(\.text) }

  /// The report as JSON.
  var json: JSON {
    JSON(known: [
      "seed": .string(String(shrunk.story.seed)), "broken": .array(shrunk.outcome.violations.map(\.json)),
      "steps": .array(sentences.map { .string($0) }), "stepsBefore": .integer(Int64(stepsBefore)),
      "plays": .integer(Int64(shrunk.plays)), "digest": .string(shrunk.outcome.digest), "picture": .string(picture),
      "scenario": .string(scenario), "failsTheSameWay": .bool(instead == nil), "again": .string(again),
      "breaksInstead": instead.map { .string($0) }, "whole": .string(repeating),
    ])
  }

  private var again: String { "zonekit run \(scenario)" }

  private var repeating: String {
    var line = "zonekit simulate --seeds \(shrunk.story.seed) --devices \(swarm.devices) --minutes \(swarm.minutes)"
    if let troubles = words.value("--troubles") { line += " --troubles \(troubles)" }
    line += words.apps.map { " \($0)" }.joined()
    return line + " --trace"
  }
}

extension Violation {
  /// The violation as a JSON object: the invariant, and where, when and how it was violated.
  var json: JSON {
    [
      "rule": .string(rule.rawValue), "device": device.map { .string($0) } ?? .null, "text": .string(text),
      "at": .integer(at.milliseconds),
    ]
  }
}
