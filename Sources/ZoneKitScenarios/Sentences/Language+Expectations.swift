/// Sentences about what must hold.
extension Language {
  static var expectations: [Sentence] {
    let states = "idle|debouncing|fetching|sending|backingOff|offline|signedOut"
    return records + counts + [
      expect("everyone agrees") { _ in .everyoneAgrees },
      expect("convergence [by {way:pushes} alone]") { .convergence(byPushes: $0.has("way")) },
      expect("no edit is lost") { _ in .noEditLost },
      expect("every view is current") { _ in .currentViews },
      expect("copies of one device are told apart") { _ in .copiesToldApart },
      expect("nothing is left over") { _ in .nothingLeft },
      expect("nobody asks for {span}") { .nobodyAsks($0.span()) },
      expect("{devices} show|shows the same") { .same($0.devices()) },
      expect("{device} decided by rule {name} [on {record}]") { .rule($0.device, $0.name(), $0.optionalRecord()) },
      expect("{device:owner} subscription is {state:active|unknown|pending|failed|found|created|replaced}") {
        .subscription($0.device, $0.name("state"))
      },
      expect("the cloud holds {quantity} subscription|subscriptions of {device}") {
        .subscriptions($0.quantity() ?? .exactly(0), of: $0.device)
      },
      expect("{way:a|no} drought on {device}") { .drought($0.device, $0.name("way") == "a") },
      expect("{way:a|no} storm on {device}") { .storm($0.device, $0.name("way") == "a") },
      expect("nobody writes for {span}") { .noWrites($0.span()) },
      expect("{device} asks nothing for {span}") { .noRequests($0.device, $0.span()) },
      expect("{device} never uses a token of {name}") { .tokenUnused($0.device, account: $0.name()) },
      expect("{device:owner} device ID {way:changed|stayed}") {
        .deviceID($0.device, hasChanged: $0.name("way") == "changed")
      },
      expect("{device} and {other:device} have different device IDs") {
        .differentDeviceIDs($0.device, $0.name("other"))
      },
      expect("{device} holds nothing of {name}") { .holdsNothing($0.device, account: $0.name()) },
      expect("{place} is {way:running|dead}") { .running($0.place(), $0.name("way") == "running") },
      expect("{device} is {state:\(states)}") { .state($0.device, $0.name("state")) },
      expect("{device:owner} last fetch was for {name}") { .fetchReason($0.device, $0.name()) },
      expect("{device:owner} diagnostics show a fetch in the last {span}") { .fetchShown($0.device, $0.span()) },
      expect("no two requests of {device} closer than {span}") { .requestsApart($0.device, $0.span()) },
    ]
  }

  private static var records: [Sentence] {
    [
      expect("{place} has {record}") { .has($0.place(), $0.record()) },
      expect("{place} lacks {record}") { .lacks($0.place(), $0.record()) },
      expect("{place} shows {name} {value} in {record}") {
        .field($0.place(), $0.record(), ScenarioField($0.name(), $0.value))
      },
      expect("{device:owner} journal holds {record}") { .journal($0.device, $0.record()) },
      expect("{device:owner} quarantine holds {record}") { .quarantine($0.device, $0.record()) },
    ]
  }

  private static var counts: [Sentence] {
    [
      expect("{device} {counters}") { .counts($0.device, $0.counters) },
      expect("{device} reports {fact} [{quantity} times]") {
        .reports($0.device, $0.fact, $0.quantity() ?? .atLeast(1))
      },
      expect("{device} never reports {fact}") { .reports($0.device, $0.fact, .exactly(0)) },
    ]
  }

  private static func expect(_ pattern: String, _ expectation: @escaping @Sendable (SlotValues) -> Expectation)
    -> Sentence
  {
    Sentence("expect \(pattern) [within {within:span}]") {
      .step(.expect(expectation($0), within: $0.optionalSpan("within")))
    }
  }
}

extension SlotValues {
  var value: ScenarioValue {
    guard case .value(let value) = self["value"] else { preconditionFailure("no value at value") }
    return value
  }

  var counters: [CounterCheck] {
    guard case .counters(let counters) = self["counters"] else { preconditionFailure("no counters at counters") }
    return counters
  }

  var fact: ReportedFact {
    guard case .fact(let fact) = self["fact"] else { preconditionFailure("no fact at fact") }
    return fact
  }
}
