/// What must hold at a step.
package enum Expectation: Hashable, Sendable {
  /// `everyone agrees`: all devices of an account that are signed in and the cloud hold the same records, and nothing is
  /// pending but what is in quarantine.
  case everyoneAgrees
  /// `convergence`: nothing is under way or waits that could be sent, and all devices and the cloud hold the same, with
  /// what is refused as the cloud has it. `by pushes alone` says whose promise it is where it does not come.
  case convergence(byPushes: Bool)
  /// `no edit is lost`: each is there, or superseded or refused on record; nothing is back that was deleted.
  case noEditLost
  /// `every view is current`: what users see is what their devices hold.
  case currentViews
  /// `copies of one device are told apart`: two that hold what one of them wrote of late have different device IDs.
  case copiesToldApart
  /// `nothing is left over`: no record waits for one that is there, no decision is untold, subscriptions and diagnostics are
  /// what they should be.
  case nothingLeft
  /// `nobody asks for 10m`: lets that time pass.
  case nobodyAsks(TimeSpan)
  /// `A, B show the same`.
  case same(DeviceChoice)
  /// `B has A's last action`; the cloud too.
  case has(Place, RecordReference)
  /// `B lacks A's last action`.
  case lacks(Place, RecordReference)
  /// `B shows bottleVolume 90 in A's last action`.
  case field(Place, RecordReference, ScenarioField)
  /// `B push received 0, fetches at most 1`.
  case counts(String, [CounterCheck])
  /// `B reports zoneRemoved`, `B reports conflict at most 2 times`, `B never reports storm`.
  case reports(String, ReportedFact, Quantity)
  /// `B decided by rule updatedAt`: the newest conflict of B, and of the record where one is named.
  case rule(String, String, RecordReference?)
  /// `B's journal holds A's last action`: a version that lost is in the journal.
  case journal(String, RecordReference)
  /// `B's quarantine holds A's last action`.
  case quarantine(String, RecordReference)
  /// `B's subscription is active`.
  case subscription(String, String)
  /// `the cloud holds 1 subscriptions of A`'s account.
  case subscriptions(Quantity, of: String)
  /// `a drought on B`, or `no drought on B`.
  case drought(String, Bool)
  /// `a storm on B`, or `no storm on B`.
  case storm(String, Bool)
  /// `nobody writes for 5m`: lets that time pass.
  case noWrites(TimeSpan)
  /// `A asks nothing for 30s`: lets that time pass without a request of A's.
  case noRequests(String, TimeSpan)
  /// `A never uses a token of mum`: no feed was asked with a token that the cloud gave to another account.
  case tokenUnused(String, account: String)
  /// `A's device ID changed`, or `stayed`, since its first start.
  case deviceID(String, hasChanged: Bool)
  /// `A and C have different device IDs`.
  case differentDeviceIDs(String, String)
  /// `A holds nothing of mum`: not in its store, its outbox or the cloud of the account that is signed in there now. What
  /// the account's departure set aside in the journal stays there.
  case holdsNothing(String, account: String)
  /// `A is running`, or `dead`: the process.
  case running(Place, Bool)
  /// `A is idle`, or another state as the diagnostics name it.
  case state(String, String)
  /// `B's last fetch was for foreground`: its reason.
  case fetchReason(String, String)
  /// `B's diagnostics show a fetch in the last 5s`: what the dump says of the last one is true.
  case fetchShown(String, TimeSpan)
  /// `no two requests of A closer than 30s`: counted from the start or from `count from here`.
  case requestsApart(String, TimeSpan)

  /// The words behind `expect`.
  package var text: String {
    switch self {
    case .everyoneAgrees: "everyone agrees"
    case .convergence(let byPushes): "convergence\(byPushes ? " by pushes alone" : "")"
    case .noEditLost: "no edit is lost"
    case .currentViews: "every view is current"
    case .copiesToldApart: "copies of one device are told apart"
    case .nothingLeft: "nothing is left over"
    case .nobodyAsks(let span): "nobody asks for \(span.text)"
    case .same(let devices): "\(devices.text) show the same"
    case .has(let place, let record): "\(place.text) has \(record.text)"
    case .lacks(let place, let record): "\(place.text) lacks \(record.text)"
    case .field(let place, let record, let field):
      "\(place.text) shows \(ScenarioWord.named(field.name)) \(field.value.text) in \(record.text)"
    case .counts(let device, let checks): "\(device) \(checks.map(\.text).joined(separator: ", "))"
    case .reports(let device, let fact, .exactly(0)): "\(device) never reports \(fact.rawValue)"
    case .reports(let device, let fact, .atLeast(1)): "\(device) reports \(fact.rawValue)"
    case .reports(let device, let fact, let quantity): "\(device) reports \(fact.rawValue) \(quantity.text) times"
    case .rule(let device, let rule, let record):
      "\(device) decided by rule \(ScenarioWord.named(rule))" + (record.map { " on \($0.text)" } ?? "")
    case .journal(let device, let record): "\(device)'s journal holds \(record.text)"
    case .quarantine(let device, let record): "\(device)'s quarantine holds \(record.text)"
    case .subscription(let device, let state): "\(device)'s subscription is \(state)"
    case .subscriptions(let quantity, let device): "the cloud holds \(quantity.text) subscriptions of \(device)"
    case .drought(let device, let isOne): "\(isOne ? "a" : "no") drought on \(device)"
    case .storm(let device, let isOne): "\(isOne ? "a" : "no") storm on \(device)"
    case .noWrites(let span): "nobody writes for \(span.text)"
    case .noRequests(let device, let span): "\(device) asks nothing for \(span.text)"
    case .tokenUnused(let device, let account): "\(device) never uses a token of \(ScenarioWord.named(account))"
    case .deviceID(let device, let hasChanged): "\(device)'s device ID \(hasChanged ? "changed" : "stayed")"
    case .differentDeviceIDs(let one, let other): "\(one) and \(other) have different device IDs"
    case .holdsNothing(let device, let account): "\(device) holds nothing of \(ScenarioWord.named(account))"
    case .running(let place, let isRunning): "\(place.text) is \(isRunning ? "running" : "dead")"
    case .state(let device, let state): "\(device) is \(state)"
    case .fetchReason(let device, let reason): "\(device)'s last fetch was for \(reason)"
    case .fetchShown(let device, let span): "\(device)'s diagnostics show a fetch in the last \(span.text)"
    case .requestsApart(let device, let span): "no two requests of \(device) closer than \(span.text)"
    }
  }
}
