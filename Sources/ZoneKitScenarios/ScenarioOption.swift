/// How a scenario's cloud, gateway and devices are set up.
package enum ScenarioOption: Hashable, Sendable {
  /// `option seed 7`: decides what is left to chance; 1 where no seed is given.
  case seed(UInt64)
  /// Something that is counted: `option page limit 3`.
  case count(CountOption, Int)
  /// Something that lasts: `option fallback 24h`.
  case span(SpanOption, TimeSpan)
  /// Something that is one of a few: `option delete rule deleteWins`.
  case choice(ChoiceOption, String)

  /// The words behind `option`.
  package var text: String {
    switch self {
    case .seed(let seed): "seed \(seed)"
    case .count(let option, let count): "\(option.rawValue) \(count)"
    case .span(let option, let span): "\(option.rawValue) \(span.text)"
    case .choice(let option, let choice): "\(option.rawValue) \(choice)"
    }
  }
}

/// Options that take a whole number from 1.
package enum CountOption: String, CaseIterable, Hashable, Sendable {
  /// The most records of a feed page.
  case pageLimit = "page limit"
  /// The most operations of one request of a device.
  case batchLimit = "batch limit"
  /// The most bytes of one request of a device.
  case batchBytes = "batch bytes"
  /// How often a device looks again after a push that yielded nothing.
  case emptyPushTries = "empty push tries"
  /// How many writes of one record within a minute make a storm.
  case stormLimit = "storm limit"
  /// How many pushes wake an app in an hour.
  case pushBudget = "push budget"
  /// In how many of a hundred cases the device that made a change gets its push too.
  case originLeak = "origin leak"
  /// How many waiting records a device reads at once in search of the first that may go.
  case sendPage = "send page"
  /// How many waiting records a device looks at to make one batch.
  case sendWindow = "send window"
  /// How many zones one request of a device asks for.
  case zones = "zones per request"
  /// How many records one request of a device looks up.
  case lookups = "lookups per request"
  /// How often one sync looks the same records up.
  case rounds = "lookup rounds"
}

/// Options that take a length of time.
package enum SpanOption: String, CaseIterable, Hashable, Sendable {
  /// After how long without a fetch a device fetches by itself.
  case fallback
  /// How long after a push that yielded nothing a device looks again.
  case emptyPushDelay = "empty push delay"
  /// How long a device waits for further requests to sync before it syncs.
  case quiet
  /// How long an answer may take.
  case requestTimeout = "request timeout"
  /// How old a change without a push must be to count as a drought.
  case droughtGrace = "drought grace"
  /// How long a push is stored for a device that is away.
  case pushTimeToLive = "push time to live"
  /// How long a new subscription makes no pushes.
  case indexDelay = "index delay"
  /// How old a commit must be for feeds to show it.
  case visibleDelay = "visible delay"
}

/// Options that take one of a few words.
package enum ChoiceOption: String, CaseIterable, Hashable, Sendable {
  /// Whether one bad record fails its whole batch.
  case atomic
  /// Which side wins where one device deletes a record and another edits it.
  case deleteRule = "delete rule"
  /// Which push keeps the one slot of a device that is away.
  case slotPolicy = "slot policy"
  /// What the cloud answers to a second subscription of the same content.
  case duplicateSubscription = "duplicate subscription"
  /// Which deletions a fetch without a token lists.
  case firstFetchDeletions = "first fetch deletions"
  /// Whether steps that cannot be done are passed over, as in a story from which steps were taken out.
  case lenient

  /// The words that it takes.
  package var choices: [String] {
    switch self {
    case .atomic: ["on", "off"]
    case .deleteRule: ["deleteWins", "policy"]
    case .slotPolicy: ["newest", "oldest", "random"]
    case .duplicateSubscription: ["reject", "accept", "internalError"]
    case .firstFetchDeletions: ["none", "own", "all"]
    case .lenient: ["on", "off"]
    }
  }
}
