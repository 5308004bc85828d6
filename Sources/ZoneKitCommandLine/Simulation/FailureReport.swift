import ZoneKitRecords
import ZoneKitService
import ZoneKitSimulator
import ZoneKitStorage

/// What a person needs who wants to know why a seed failed: the shortest story that breaks the same promise, a picture of
/// it, a scenario that repeats it, and the line that plays that.
struct FailureReport {
  private let swarm: Swarm
  private let words: Invocation
  private let deeds: Int
  private let shrunk: Shrunk
  private let picture: String
  private let scenario: Written

  /// What became of the scenario.
  private enum Written {
    /// Its file, the sentences of the story's deeds, and what it breaks in place of the promise that the story breaks; nil
    /// where it breaks that one.
    case file(String, [String], instead: String?)
    /// There is none, for that reason.
    case none(String)
  }

  /// Shrinks the story of a seed, draws it and writes it; nil where it breaks nothing. Throws where a file cannot be
  /// written.
  init?(_ swarm: Swarm, seed: UInt64, _ words: Invocation) throws(ExitFailure) {
    let story = swarm.story(seed: seed)
    Console.complain("making the story of seed \(seed) short, which has \(story.deeds.count) deeds")
    do {
      guard let shrunk = try Shrinker.shortest(of: story) else { return nil }
      self.shrunk = shrunk
    } catch {
      throw .unavailable("\(error)")
    }
    self.swarm = swarm
    self.words = words
    deeds = story.deeds.count
    let timeline = Timeline(shrunk.outcome.trace, title: "seed \(seed), shrunk")
    picture = try Self.write(timeline.svg, to: "seed-\(seed).svg", words)
    scenario = try Self.write(shrunk, words)
  }

  private static func write(_ shrunk: Shrunk, _ words: Invocation) throws(ExitFailure) -> Written {
    let written: WrittenStory
    do throws(RetellingError) {
      written = try shrunk.written(for: RunVerb.apps)
    } catch {
      return .none(error.description)
    }
    let path = try write(written.scenario.text, to: "seed-\(shrunk.story.seed).scenario", words)
    let sentences = written.scenario.steps.prefix(shrunk.story.deeds.count).map(\.step.text)
    let instead = written.failsTheSameWay ? nil : written.violation?.description ?? "nothing"
    return .file(path, sentences, instead: instead)
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

  // MARK: Telling

  /// All that happened in the shortest story, a line each.
  var trace: [String] { shrunk.outcome.trace.lines }

  /// What there is to know, for people.
  var lines: [String] {
    var lines = ["the shortest story that fails the same way, seed \(shrunk.story.seed):"]
    lines += sentences.map { "  \($0)" }
    lines += shrunk.outcome.violations.prefix(1).map { "broken:   \($0)" }
    lines.append("\(deeds) deeds became \(sentences.count) in \(shrunk.plays) plays")
    lines.append("picture:  \(picture)")
    switch scenario {
    case .file(let path, _, nil): lines += ["scenario: \(path)", "again:    \(again(path))"]
    case .file(let path, _, let instead?):
      lines += ["scenario: \(path), which does NOT fail the same way: it breaks \(instead)"]
    case .none(let reason): lines.append("scenario: none, for \(reason)")
    }
    return lines + ["whole:    \(repeating)"]
  }

  /// The story's deeds, as the scenario says them where there is one.
  private var sentences: [String] {
    if case .file(_, let sentences, _) = scenario { return sentences }
    return shrunk.story.deeds.map { $0.words(shrunk.story.cast) }
  }

  /// The same for programs.
  var json: JSON {
    var members = [
      JSON.Member("seed", .string(String(shrunk.story.seed))),
      JSON.Member("broken", .array(shrunk.outcome.violations.map(\.json))),
      JSON.Member("deeds", .array(sentences.map { .string($0) })),
      JSON.Member("deedsBefore", .integer(Int64(deeds))), JSON.Member("plays", .integer(Int64(shrunk.plays))),
      JSON.Member("digest", .string(shrunk.outcome.digest)), JSON.Member("picture", .string(picture)),
    ]
    switch scenario {
    case .file(let path, _, let instead):
      members += [
        JSON.Member("scenario", .string(path)), JSON.Member("failsTheSameWay", .bool(instead == nil)),
        JSON.Member("again", .string(again(path))),
      ]
      if let instead { members.append(JSON.Member("breaksInstead", .string(instead))) }
    case .none(let reason):
      members += [JSON.Member("scenario", .null), JSON.Member("why", .string(reason))]
    }
    return .object(members + [JSON.Member("whole", .string(repeating))])
  }

  private func again(_ path: String) -> String { "zonekit run \(path)" }

  private var repeating: String {
    var line = "zonekit simulate --seeds \(shrunk.story.seed) --devices \(swarm.devices) --minutes \(swarm.minutes)"
    if let troubles = words.value("--troubles") { line += " --troubles \(troubles)" }
    return line + " --trace"
  }
}

extension Violation {
  /// The promise, where, when and how, as one object.
  var json: JSON {
    [
      "rule": .string(rule.rawValue), "device": device.map { .string($0) } ?? .null, "text": .string(text),
      "at": .integer(at.milliseconds),
    ]
  }
}
