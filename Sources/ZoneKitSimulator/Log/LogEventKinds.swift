import ZoneKitRecords
import ZoneKitSync

/// A set of kinds of events that checkers read. Facts that no checker reads have no member here.
package struct LogEventKinds: OptionSet, Sendable {
  /// One bit for each kind.
  package let rawValue: UInt64

  /// The kinds with those bits.
  package init(rawValue: UInt64) { self.rawValue = rawValue }

  // Events, as `LogEvent` describes them.
  static let processStarting = LogEventKinds(rawValue: 1 << 0)
  static let processStarted = LogEventKinds(rawValue: 1 << 1)
  static let settled = LogEventKinds(rawValue: 1 << 2)
  static let request = LogEventKinds(rawValue: 1 << 3)
  static let answer = LogEventKinds(rawValue: 1 << 4)
  static let recordsShown = LogEventKinds(rawValue: 1 << 5)
  static let everythingShown = LogEventKinds(rawValue: 1 << 6)
  static let syncWanted = LogEventKinds(rawValue: 1 << 7)
  static let pushHanded = LogEventKinds(rawValue: 1 << 8)
  static let storeFailed = LogEventKinds(rawValue: 1 << 9)
  static let diskReplaced = LogEventKinds(rawValue: 1 << 10)
  static let resetting = LogEventKinds(rawValue: 1 << 11)
  static let clockSet = LogEventKinds(rawValue: 1 << 12)
  static let accountSet = LogEventKinds(rawValue: 1 << 13)
  static let wrote = LogEventKinds(rawValue: 1 << 14)
  static let edited = LogEventKinds(rawValue: 1 << 15)
  static let repaired = LogEventKinds(rawValue: 1 << 16)

  // Facts, as `DeviceFact` describes them.
  static let launched = LogEventKinds(rawValue: 1 << 17)
  static let syncStarted = LogEventKinds(rawValue: 1 << 18)
  static let syncFinished = LogEventKinds(rawValue: 1 << 19)
  static let syncFailed = LogEventKinds(rawValue: 1 << 20)
  static let storeFailedFact = LogEventKinds(rawValue: 1 << 21)
  static let pushReceived = LogEventKinds(rawValue: 1 << 22)
  static let linkChanged = LogEventKinds(rawValue: 1 << 23)
  static let signedOut = LogEventKinds(rawValue: 1 << 24)
  static let accountChanged = LogEventKinds(rawValue: 1 << 25)
  static let reset = LogEventKinds(rawValue: 1 << 26)
  static let recordSent = LogEventKinds(rawValue: 1 << 27)
  static let zoneRemoved = LogEventKinds(rawValue: 1 << 28)
  static let zoneLost = LogEventKinds(rawValue: 1 << 29)
  static let tokenExpired = LogEventKinds(rawValue: 1 << 30)
  static let cloneDetected = LogEventKinds(rawValue: 1 << 31)
  static let conflict = LogEventKinds(rawValue: 1 << 32)
  static let quarantined = LogEventKinds(rawValue: 1 << 33)
  static let pushTokenRegistered = LogEventKinds(rawValue: 1 << 34)
  static let pushTokenFailed = LogEventKinds(rawValue: 1 << 35)
  static let subscriptionChecked = LogEventKinds(rawValue: 1 << 36)
  static let subscriptionFailed = LogEventKinds(rawValue: 1 << 37)
  static let pushTokenRefused = LogEventKinds(rawValue: 1 << 38)
  static let zoneCreated = LogEventKinds(rawValue: 1 << 39)
  static let released = LogEventKinds(rawValue: 1 << 40)
  static let leftoversRemoved = LogEventKinds(rawValue: 1 << 41)
}

extension LogEvent {
  /// The kind of the event; empty for a fact that no checker reads.
  package var kind: LogEventKinds {
    switch self {
    case .processStarting: .processStarting
    case .processStarted: .processStarted
    case .settled: .settled
    case .request: .request
    case .answer: .answer
    case .recordsShown: .recordsShown
    case .everythingShown: .everythingShown
    case .syncWanted: .syncWanted
    case .pushHanded: .pushHanded
    case .storeFailed: .storeFailed
    case .diskReplaced: .diskReplaced
    case .resetting: .resetting
    case .clockSet: .clockSet
    case .accountSet: .accountSet
    case .wrote: .wrote
    case .edited: .edited
    case .repaired: .repaired
    case .fact(let fact): fact.logKind
    }
  }
}

extension DeviceFact {
  fileprivate var logKind: LogEventKinds {
    switch self {
    case .launched: .launched
    case .syncStarted: .syncStarted
    case .syncFinished: .syncFinished
    case .syncFailed: .syncFailed
    case .storeFailed: .storeFailedFact
    case .pushReceived: .pushReceived
    case .linkChanged: .linkChanged
    case .signedOut: .signedOut
    case .accountChanged: .accountChanged
    case .reset: .reset
    case .recordSent: .recordSent
    case .zoneCreated: .zoneCreated
    case .zoneRemoved: .zoneRemoved
    case .zoneLost: .zoneLost
    case .tokenExpired: .tokenExpired
    case .cloneDetected: .cloneDetected
    case .conflict: .conflict
    case .quarantined: .quarantined
    case .released: .released
    case .leftoversRemoved: .leftoversRemoved
    case .pushTokenRegistered: .pushTokenRegistered
    case .pushTokenFailed: .pushTokenFailed
    case .pushTokenRefused: .pushTokenRefused
    case .subscriptionChecked: .subscriptionChecked
    case .subscriptionFailed: .subscriptionFailed
    default: []
    }
  }
}
