extension CountOption {
  /// A one-line description of the option.
  var summary: String {
    switch self {
    case .pageLimit: "The most records of a page of a feed."
    case .pageBytes: "The most bytes of a page of a feed; one record is always in it."
    case .batchLimit: "The most operations of one request of a device."
    case .batchBytes: "The most bytes of one request of a device."
    case .emptyPushTries: "How often a device fetches again after a push that brought no change."
    case .stormLimit: "How many writes of one record within a minute a device reports as a storm."
    case .pushBudget: "How many pushes wake an app in an hour."
    case .originLeak: "In how many of a hundred cases the device that made a change gets its push too."
    case .sendPage: "How many waiting records a device reads at once when it looks for the first one to send."
    case .sendWindow: "How many waiting records a device looks at to make one batch."
    case .zones: "The most zones of one request of a device."
    case .lookups: "The most records that one request of a device looks up."
    case .rowLimit: "The most rows in an answer of a service of tables."
    case .rounds: "How often one sync looks up the same records."
    }
  }
}

extension SpanOption {
  /// A one-line description of the option.
  var summary: String {
    switch self {
    case .fallback: "How long after its last fetch a device fetches without a reason."
    case .emptyPushDelay: "How long after a push that brought no change a device fetches again."
    case .quiet: "How long a device waits for further requests to sync before it syncs."
    case .localQuiet: "How long a device waits for further changes of its user before it syncs."
    case .requestTimeout: "How long a device waits for an answer."
    case .droughtGrace: "How old a change without a push must be to count as a push drought."
    case .pushTimeToLive: "How long a push is stored for a device that is not connected."
    case .pushBurst: "How long the push service collects pushes before it sends them to a connected device."
    case .indexDelay: "How long a new subscription makes no pushes."
    case .tokenLife: "How long a service of tables accepts an access token."
    case .visibleDelay: "How old a commit must be for feeds to show it."
    }
  }
}

extension ChoiceOption {
  /// A one-line description of the option.
  var summary: String {
    switch self {
    case .atomic: "Whether one refused record makes the whole batch fail."
    case .deleteRule: "Which side wins where one device deletes a record and another edits it."
    case .slotPolicy: "Which push is stored for a device that is not connected."
    case .duplicateSubscription: "What the cloud answers to a second subscription of the same content."
    case .firstFetchDeletions: "Which deletions a fetch without a token lists."
    case .lenient: "Whether steps that cannot be done are skipped."
    case .wire:
      "Whether requests travel as messages, the default for documents, or as values, of which some are compared."
    case .pushes: "Whether the app has pushes; without them it fetches every 15 minutes in the foreground."
    }
  }
}
