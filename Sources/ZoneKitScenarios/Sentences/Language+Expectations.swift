import ZoneKitRecords

/// Sentences that state an expectation.
extension Language {
  static let expectations = records + counts + world + devices + requests

  private static let records: [Sentence] = [
    expect(
      "the last push of the plain client ended as {outcome:applied|unchanged|server_wins|client_wins|merge|error}",
      "The server's verdict on the last change that a plain client sent.",
      example: "the last push of the plain client ended as server_wins"
    ) { .plainPush($0.name("outcome")) },
    expect("{place} has {record}", "The record is there.", example: "B has A's last action") {
      .has($0.place(), $0.record())
    },
    expect("{place} lacks {record}", "The record is not there.", example: "the cloud lacks A's last action") {
      .lacks($0.place(), $0.record())
    },
    expect(
      "{place} shows {name} {value} in {record}", "The field of the record has that value.",
      example: "B shows bottleVolume 90 in A's last action"
    ) { .field($0.place(), $0.record(), ScenarioField($0.name(), $0.value)) },
    expect(
      "{device} keeps photo {number} of {record}",
      "The row on the device names the photo with that number, and its bytes are on the device.",
      example: "B keeps photo 3 of A's last person"
    ) { .photo($0.device, $0.number(), of: $0.record()) },
    expect(
      "{device:owner} journal holds {record}", "A version of the record that lost a conflict is in the journal.",
      example: "B's journal holds A's last action"
    ) { .journal($0.device, $0.record()) },
    expect(
      "{device:owner} quarantine holds {record}", "The device does not send the record any more.",
      example: "B's quarantine holds B's last action"
    ) { .quarantine($0.device, $0.record()) },
  ]

  private static let counts: [Sentence] = [
    expect(
      "{device} {counters}", "The counters of the device have those values.",
      example: "B push received 0, fetches at most 1"
    ) { .counts($0.device, $0.counters) },
    expect(
      "{device} reports {fact} [{quantity} times]",
      "The device has reported that, at least once unless a number is given.",
      example: "B reports conflict at most 2 times"
    ) { .reports($0.device, $0.fact, $0.quantity() ?? .atLeast(1)) },
    expect("{device} never reports {fact}", "The device has not reported that.", example: "B never reports storm") {
      .reports($0.device, $0.fact, .exactly(0))
    },
  ]

  private static let world: [Sentence] = [
    expect(
      "everyone agrees",
      "The devices of an account that are signed in and its cloud hold the same records, and nothing waits to be sent but "
        + "what is in quarantine.",
      example: "everyone agrees"
    ) { _ in .everyoneAgrees },
    expect(
      "convergence [by {way:pushes} alone]",
      "Nothing is under way or waits that could be sent, and all devices and the cloud hold the same.",
      example: "convergence by pushes alone"
    ) { .convergence(byPushes: $0.has("way")) },
    expect(
      "no edit is lost", "Every edit is there, or superseded or refused on record, and nothing deleted is back.",
      example: "no edit is lost"
    ) { _ in .noEditLost },
    expect("every view is current", "What users see is what their devices hold.", example: "every view is current") {
      _ in .currentViews
    },
    expect(
      "copies of one device are told apart",
      "Two devices that hold what one of them wrote of late have different device IDs.",
      example: "copies of one device are told apart"
    ) { _ in .copiesToldApart },
    expect(
      "nothing is left over",
      "No record waits for one that is there, every decision is reported, and subscriptions and diagnostics are right.",
      example: "nothing is left over"
    ) { _ in .nothingLeft },
    expect(
      "nobody asks for {span}", "No device sends a request while that time passes.", example: "nobody asks for 10m"
    ) {
      .nobodyAsks($0.span())
    },
    expect(
      "nobody writes for {span}", "No device saves records while that time passes.", example: "nobody writes for 5m"
    ) {
      .noWrites($0.span())
    },
    expect("{devices} shows|show the same", "The devices show the same records.", example: "A, B show the same") {
      .same($0.devices())
    },
    expect(
      "the cloud holds {quantity} subscription|subscriptions of {device}",
      "The device's account has so many subscriptions.",
      example: "the cloud holds 1 subscriptions of A"
    ) { .subscriptions($0.quantity() ?? .exactly(0), of: $0.device) },
  ]

  private static var devices: [Sentence] {
    let states = "idle|debouncing|fetching|sending|backingOff|offline|signedOut"
    return [
      expect(
        "{device} decided by rule {name} [on {record}]",
        "The newest conflict, or the newest of the record, was decided so.",
        example: "B decided by rule updatedAt on A's last action"
      ) { .rule($0.device, $0.name(), $0.optionalRecord()) },
      expect(
        "{device:owner} subscription is {state:active|unknown|pending|failed|found|created|replaced}",
        "The subscription is in that state, or came to be in that way.", example: "B's subscription is found"
      ) { .subscription($0.device, $0.name("state")) },
      expect(
        "{way:a|no} drought on {device}", "The device reports a push drought, or none.", example: "no drought on B"
      ) {
        .drought($0.device, $0.name("way") == "a")
      },
      expect("{way:a|no} storm on {device}", "The device reports a storm of writes, or none.", example: "no storm on B")
      {
        .storm($0.device, $0.name("way") == "a")
      },
      expect(
        "{device:owner} device ID {way:changed|stayed}",
        "The device's ID is another than at its first start, or the same.",
        example: "B's device ID changed"
      ) { .deviceID($0.device, hasChanged: $0.name("way") == "changed") },
      expect(
        "{device} and {other:device} have different device IDs", "The two devices have different IDs.",
        example: "A and B have different device IDs"
      ) { .differentDeviceIDs($0.device, $0.name("other")) },
      expect(
        "{device} holds nothing of {name}",
        "No record of that account is in the device's store or outbox, or in the cloud of the account signed in there.",
        example: "A holds nothing of mum"
      ) { .holdsNothing($0.device, account: $0.name()) },
      expect("{place} is {way:running|dead}", "The process runs, or does not.", example: "A is running") {
        .running($0.place(), $0.name("way") == "running")
      },
      expect("{device} is {state:\(states)}", "The device is in that state.", example: "A is idle") {
        .state($0.device, $0.name("state"))
      },
      expect(
        "{device:owner} channel is {state:off|connecting|joining|live|waiting}",
        "The device's channel with change events is in that state.", example: "A's channel is live"
      ) { .channel($0.device, $0.name("state")) },
      expect(
        "{device:owner} migration is {state:none|interrupted|running|done|incomplete}",
        "The upload of local rows into the account is in that state. An incomplete one is over, and rows were set aside or differ from the cloud's.",
        example: "A's migration is done"
      ) { .migration($0.device, $0.name("state")) },
      expect(
        "{device:owner} balance of {name} is {value}", "The app shows that balance of the person of that name.",
        example: "A's balance of Ben is 42.25"
      ) { .balance($0.device, of: $0.name(), $0.value) },
    ] + fetches
  }

  private static let fetches: [Sentence] = [
    expect(
      "{device:owner} status reads {name:quote}",
      "The line about syncing that the app's user reads begins with those words.",
      example: #"A's status reads "3 pending, offline""#
    ) { .statusLine($0.device, $0.name()) },
    expect(
      "{device:owner} last fetch was for {name}", "That was the reason of the device's last fetch.",
      example: "B's last fetch was for foreground"
    ) { .fetchReason($0.device, $0.name()) },
    expect(
      "{device:owner} diagnostics show a fetch in the last {span}", "The dump says that the last fetch is not older.",
      example: "B's diagnostics show a fetch in the last 5s"
    ) { .fetchShown($0.device, $0.span()) },
  ]

  private static let requests: [Sentence] = [
    expect(
      "{device} asks nothing for {span}", "The device sends no request while that time passes.",
      example: "A asks nothing for 30s"
    ) { .noRequests($0.device, $0.span()) },
    expect(
      "{device} never uses a token of {name}", "The device has sent no token that the cloud gave to that account.",
      example: "A never uses a token of mum"
    ) { .tokenUnused($0.device, account: $0.name()) },
    expect(
      "no two requests of {device} closer than {span}", "There is at least that time between any two requests.",
      example: "no two requests of A closer than 30s"
    ) { .requestsApart($0.device, $0.span()) },
  ]

  private static func expect(
    _ pattern: String, _ summary: String, example: String,
    _ expectation: @escaping @Sendable (SlotValues) -> Expectation
  ) -> Sentence {
    Sentence("expect \(pattern) [within {within:span}]", summary, example: "expect \(example)") {
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

  var fact: Fact.Kind {
    guard case .fact(let fact) = self["fact"] else { preconditionFailure("no fact at fact") }
    return fact
  }
}
