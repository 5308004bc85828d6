import ZoneKitScenarios
import Foundation
import ZoneKitRecords
import ZoneKitSimulator
import Testing

/// The scenarios in Diagnostics/Scenarios.
struct CatalogueTests {
  private static let diagnostics = URL(fileURLWithPath: #filePath)
    .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
    .appendingPathComponent("Diagnostics")

  static let names: [String] = {
    let files = try? FileManager.default.contentsOfDirectory(
      atPath: diagnostics.appendingPathComponent("Scenarios").path)
    return (files ?? []).filter { $0.hasSuffix(".scenario") }.map { String($0.dropLast(9)) }.sorted()
  }()

  private static func scenario(_ name: String) throws -> Scenario {
    let file = diagnostics.appendingPathComponent("Scenarios/\(name).scenario")
    return try Scenario(parsing: String(contentsOf: file, encoding: .utf8))
  }

  private static func ruleIDs() throws -> [String] {
    let file = diagnostics.appendingPathComponent("rules.json")
    let rules = try #require(try JSONSerialization.jsonObject(with: Data(contentsOf: file)) as? [[String: Any]])
    for rule in rules {
      #expect(Set(rule.keys) == ["id", "text", "confidence", "source", "option"], "\(rule)")
      #expect(["doc", "observed", "assumed"].contains(rule["confidence"] as? String ?? ""), "\(rule)")
    }
    return rules.compactMap { $0["id"] as? String }
  }

  /// Sync semantics, part 6: the ranked failures, then the extras. A name may have variants.
  private static let failures = """
    dropped-push offline-both-edit kill-mid-merge token-expired zone-gone account-switch-dirty atomic-collateral
    limit-exceeded-split retry-after-storm quota-exceeded duplicate-subscription subscription-vanished subscription-mute
    push-burst duplicate-push push-before-visible tombstone-resurrection ping-pong clock-skew edit-during-upload
    crash-before-state-saved create-create delete-vs-edit delete-reinsert reset-one-while-other-edits backup-clone
    child-before-parent poison-record lost-ack
    same-token-loop zone-listed-not-found handler-reentrancy origin-gets-own-push default-zone-silent
    two-engines-one-token-key db-token-ahead-of-zone stale-belief cancel-hang schema-newer-peer launch-push-race
    notification-token-rotated lastSynced-never-written
    """.split(whereSeparator: \.isWhitespace).map(String.init)

  @Test(arguments: failures) func `the catalogue holds every failure of the list`(failure: String) {
    #expect(Self.names.contains { $0 == failure || $0.hasPrefix(failure + "-") })
  }

  @Test(arguments: names) func `a scenario of the catalogue reads, and is written as it reads`(name: String) throws {
    let scenario = try Self.scenario(name)
    #expect(scenario.name == name)
    #expect(!scenario.about.isEmpty && !scenario.holds.isEmpty && !scenario.sources.isEmpty && !scenario.rules.isEmpty)
    #expect(try Scenario(parsing: scenario.text) == scenario.numbered())
  }

  @Test func `each rule that a scenario names is on the list of rules`() throws {
    let known = try Self.ruleIDs()
    #expect(Set(known).count == known.count)
    for name in Self.names {
      for rule in try Self.scenario(name).rules { #expect(known.contains(rule), "\(name) names \(rule)") }
    }
  }

  /// The others are played by the program itself, in Tests/Interop.
  @Test(arguments: names) func `a scenario of the plain app holds, and does the same every time`(name: String) throws {
    let scenario = try Self.scenario(name)
    guard scenario.app == "Items" else { return }
    var digests: Set<String> = []
    for _ in 0..<2 {
      var player = try ScenarioPlayer(scenario, apps: ScenarioPlayerTests.apps)
      let outcome = player.play()
      #expect(outcome.end == .held)
      digests.insert(outcome.digest)
    }
    #expect(digests.count == 1)
  }
}
