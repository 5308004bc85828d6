import ZoneKitRecords

/// A value of a coordinator's configuration that can be set by its name, as scenarios and the command line do.
package enum CoordinatorSetting: String, CaseIterable, Hashable, Sendable {
  /// The property of the same name: a time in milliseconds, or a count.
  case quiet, fallback, emptyPushDelay, emptyPushTries, requestTimeout, droughtGrace, pageLimit, batchLimit, batchBytes,
    stormLimit
  /// The time without further edits after which a sync sends them. The longest wait becomes at least as long.
  case localQuiet
  /// Whether a batch is all or nothing: 1 or 0.
  case atomic
  /// Whether the app's policy decides over deletions: 1, or 0 where the deletion wins.
  case deletePolicy

  /// Whether the setting is 1 or 0. The others take a number from 1.
  package var isSwitch: Bool {
    switch self {
    case .atomic, .deletePolicy: true
    case .quiet, .localQuiet, .fallback, .emptyPushDelay, .emptyPushTries, .requestTimeout, .droughtGrace, .pageLimit,
      .batchLimit, .batchBytes, .stormLimit:
      false
    }
  }

  /// The highest number that the cloud's own limits leave room for; nil where there is no such limit.
  package var limit: Int64? {
    switch self {
    case .pageLimit: Int64(ZoneChangesQuery.pageLimit)
    case .batchLimit: Int64(ModifyRecords.operationLimit)
    case .quiet, .localQuiet, .fallback, .emptyPushDelay, .emptyPushTries, .requestTimeout, .droughtGrace, .batchBytes,
      .stormLimit, .atomic, .deletePolicy:
      nil
    }
  }

  /// Sets the value.
  package func set(_ number: Int64, in configuration: inout CoordinatorConfiguration) {
    switch self {
    case .quiet:
      configuration.pacing.quiet = number
      configuration.pacing.quietLimit = max(configuration.pacing.quietLimit, number)
    case .localQuiet:
      let pacing = configuration.pacing
      var pace = pacing.paces[.localChange] ?? Pace(quiet: pacing.quiet, limit: pacing.quietLimit)
      pace.quiet = number
      pace.limit = max(pace.limit, number)
      configuration.pacing.paces[.localChange] = pace
    case .fallback: configuration.pacing.fallback = number
    case .emptyPushDelay: configuration.pushes.emptyPushDelay = number
    case .emptyPushTries: configuration.pushes.emptyPushTries = Int(number)
    case .requestTimeout: configuration.limits.requestTimeout = number
    case .droughtGrace: configuration.pushes.droughtGrace = number
    case .pageLimit: configuration.limits.page = Int(number)
    case .batchLimit: configuration.limits.batch = Int(number)
    case .batchBytes: configuration.limits.batchBytes = Int(number)
    case .stormLimit: configuration.limits.stormWrites = Int(number)
    case .atomic: configuration.limits.isAtomic = number == 1
    case .deletePolicy: configuration.merging.deleteRule = number == 1 ? .policy : .deleteWins
    }
  }
}
