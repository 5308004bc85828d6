/// A setting of the cloud, the push service or the devices.
package enum ScenarioOption: Hashable, Sendable {
  /// `option seed 7`: the seed of all random decisions; 1 by default.
  case seed(UInt64)
  /// A number, such as `option page limit 3`.
  case count(CountOption, Int)
  /// A duration, such as `option fallback 24h`.
  case span(SpanOption, TimeSpan)
  /// One of several words, such as `option delete rule deleteWins`.
  case choice(ChoiceOption, String)

  /// The text behind `option`.
  package var text: String {
    switch self {
    case .seed(let seed): "seed \(seed)"
    case .count(let option, let count): "\(option.rawValue) \(count)"
    case .span(let option, let span): "\(option.rawValue) \(span.text)"
    case .choice(let option, let choice): "\(option.rawValue) \(choice)"
    }
  }
}

/// The options with an integer from 1.
package enum CountOption: String, CaseIterable, Hashable, Sendable {
  /// The most records of a feed page.
  case pageLimit = "page limit"
  /// The most bytes of a feed page.
  case pageBytes = "page bytes"
  /// The most operations of one request of a device.
  case batchLimit = "batch limit"
  /// The most bytes of one request of a device.
  case batchBytes = "batch bytes"
  /// How often a device fetches again after a push that brought no changes.
  case emptyPushTries = "empty push tries"
  /// The number of writes to one record within a minute that counts as a storm.
  case stormLimit = "storm limit"
  /// The number of pushes that wake an app per hour.
  case pushBudget = "push budget"
  /// The percentage of changes whose push also goes to the device that made the change.
  case originLeak = "origin leak"
  /// The number of pending records that a device reads at once to find the first one that it may send.
  case sendPage = "send page"
  /// The number of pending records that a device considers for one batch.
  case sendWindow = "send window"
  /// The number of zones for which a device asks in one request.
  case zones = "zones per request"
  /// The number of records that a device looks up in one request.
  case lookups = "lookups per request"
  /// How often one sync looks up the same records.
  case rounds = "lookup rounds"
  /// The most rows in an answer of a service of tables.
  case rowLimit = "row limit"
}

/// The options with a duration.
package enum SpanOption: String, CaseIterable, Hashable, Sendable {
  /// The time without a fetch after which a device fetches without a trigger.
  case fallback
  /// The time after a push that brought no changes until a device fetches again.
  case emptyPushDelay = "empty push delay"
  /// The time for which a device waits for more sync requests before it starts a sync.
  case quiet
  /// The same time after a change of the device's own user.
  case localQuiet = "local quiet"
  /// The time limit of an answer.
  case requestTimeout = "request timeout"
  /// The age of a change without a push that counts as a drought.
  case droughtGrace = "drought grace"
  /// The time for which a push is stored for a device that is not connected.
  case pushTimeToLive = "push time to live"
  /// The time for which the push service collects pushes to a connected device.
  case pushBurst = "push burst"
  /// The time after its creation during which a subscription makes no pushes.
  case indexDelay = "index delay"
  /// The age of a commit from which feeds show it.
  case visibleDelay = "visible delay"
  /// The time for which a service of tables accepts an access token.
  case tokenLife = "token life"
}

/// The options with one of several words.
package enum ChoiceOption: String, CaseIterable, Hashable, Sendable {
  /// Whether one bad record fails its whole batch.
  case atomic
  /// Which side wins if one device deletes a record and another edits it.
  case deleteRule = "delete rule"
  /// Which push is stored for a device that is not connected, because only one can be.
  case slotPolicy = "slot policy"
  /// What the cloud answers to a second subscription of the same content.
  case duplicateSubscription = "duplicate subscription"
  /// The deletions that a fetch without a change token lists.
  case firstFetchDeletions = "first fetch deletions"
  /// Whether steps that cannot be done are skipped, as in a scenario from which steps were removed.
  case lenient
  /// How requests and answers travel: as HTTP messages of the app's protocol, or as values.
  case wire
  /// Whether the app has pushes.
  case pushes

  /// The allowed words.
  package var choices: [String] {
    switch self {
    case .atomic: ["on", "off"]
    case .deleteRule: ["deleteWins", "policy"]
    case .slotPolicy: ["newest", "oldest", "random"]
    case .duplicateSubscription: ["reject", "accept", "internalError"]
    case .firstFetchDeletions: ["none", "own", "all"]
    case .lenient, .pushes: ["on", "off"]
    case .wire: ["rest", "direct"]
    }
  }
}
