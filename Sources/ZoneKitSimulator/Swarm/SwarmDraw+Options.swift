import ZoneKitDeviceHost
import ZoneKitRecords
import ZoneKitScenarios
import ZoneKitSync

/// Draws the options of a story.
extension SwarmDraw {
  /// The options that differ from the defaults.
  mutating func options(_ app: DeviceApp) -> [ScenarioOption] {
    var options = deviceOptions(beside: app.configuration) + cloudOptions()
    if app.hasTables { options += tableOptions() }
    guard app.documents != nil else { return options }
    // The protocol has no atomic batches.
    options.removeAll { if case .choice(.atomic, _) = $0 { true } else { false } }
    return options + documentOptions()
  }

  /// The options of a service of tables that differ from the defaults: access tokens that end soon.
  private mutating func tableOptions() -> [ScenarioOption] {
    guard number(3) == 0 else { return [] }
    return [.span(.tokenLife, TimeSpan(milliseconds: isHead() ? 90_000 : 300_000))]
  }

  /// The options of a world with documents that differ from the defaults: messages travel as bytes in one of four worlds,
  /// because that takes longer.
  private mutating func documentOptions() -> [ScenarioOption] {
    number(4) == 0 ? [] : [.choice(.wire, "direct")]
  }

  /// The options of devices that differ from the defaults.
  private mutating func deviceOptions(beside usual: CoordinatorConfiguration) -> [ScenarioOption] {
    let counts: [(CountOption, Int, Int)] = [
      (.pageLimit, oneOf([1, 2, 3, 4, 200]), usual.limits.page),
      (.batchLimit, oneOf([1, 2, 3, 4, 200]), usual.limits.batch),
    ]
    let isAtomic = isHead()
    var options = counts.filter { $0.1 != $0.2 }.map { ScenarioOption.count($0.0, $0.1) }
    if number(3) == 0 { options += bounds() }
    if isAtomic != usual.limits.isAtomic { options.append(.choice(.atomic, isAtomic ? "on" : "off")) }
    return options
  }

  /// Small values of some limits, so that stories reach them.
  private mutating func bounds() -> [ScenarioOption] {
    var options: [ScenarioOption] = []
    if isHead() { options.append(.count(.sendPage, number(4) + 1)) }
    if isHead() { options.append(.count(.sendWindow, number(4) + 1)) }
    if isHead() { options.append(.count(.zones, 1)) }
    if isHead() { options.append(.count(.lookups, number(3) + 1)) }
    if isHead() { options.append(.count(.rounds, number(3) + 2)) }
    return options + rareBounds()
  }

  /// Settings of devices that few stories have. A device that fetches by itself within minutes would never come to rest,
  /// and one that hardly looks again after a push without news would miss what a cloud shows late. The model of the records
  /// knows the usual rule for deletions alone.
  private mutating func rareBounds() -> [ScenarioOption] {
    let options: [ScenarioOption] = [
      .count(.batchBytes, 600), .count(.stormLimit, 3), .count(.rowLimit, 50),
      .span(.quiet, TimeSpan(milliseconds: 50)), .span(.localQuiet, TimeSpan(milliseconds: 50)),
      .span(.requestTimeout, TimeSpan(milliseconds: 3_000)), .span(.droughtGrace, TimeSpan(milliseconds: 1_000)),
    ]
    return options.filter { _ in number(8) == 0 }
  }

  /// The options of the cloud and the push service that differ from the defaults.
  private mutating func cloudOptions() -> [ScenarioOption] {
    var options: [ScenarioOption] = []
    if allowed.contains(.visibility) {
      let delay = oneOf([0, 0, 0, 500, 1_500] as [Int64])
      if delay > 0 { options.append(.span(.visibleDelay, TimeSpan(milliseconds: delay))) }
    }
    if allowed.contains(.tombstones) {
      let deletions = oneOf(["all", "all", "none", "own"])
      if deletions != "all" { options.append(.choice(.firstFetchDeletions, deletions)) }
    }
    if let error = oneOf([nil, nil, "reject", "internalError"]) {
      options.append(.choice(.duplicateSubscription, error))
    }
    let leak = allowed.contains(.leak) ? oneOf([0, 0, 30, 100]) : 0
    return options + (leak > 0 ? [.count(.originLeak, leak)] : []) + rareOptions()
  }

  /// Settings of the cloud and the push service that few stories have.
  private mutating func rareOptions() -> [ScenarioOption] {
    let options: [ScenarioOption] = [
      .span(.pushBurst, TimeSpan(milliseconds: 5_000)), .span(.pushTimeToLive, TimeSpan(milliseconds: 60_000)),
      .choice(.slotPolicy, isHead() ? "oldest" : "random"),
      .span(.indexDelay, TimeSpan(milliseconds: 2_000)), .count(.pageBytes, 400), .count(.pushBudget, 1),
    ]
    return options.filter { _ in number(12) == 0 }
  }
}
