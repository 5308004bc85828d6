import ZoneKitRecords

/// A condition that a scenario expects.
package enum Expectation: Hashable, Sendable {
  /// `everyone agrees`: the cloud and all devices that are signed in to an account hold the same records, and nothing
  /// is pending except what is in quarantine.
  case everyoneAgrees
  /// `convergence`: nothing is in progress or waits that could be sent, and all devices and the cloud hold the same.
  /// For a refused change the cloud's version counts. With `by pushes alone` a failure is reported as one of push
  /// delivery.
  case convergence(byPushes: Bool)
  /// `no edit is lost`: each edit is present, superseded or refused, and no deleted record is back.
  case noEditLost
  /// `every view is current`: users see what their devices hold.
  case currentViews
  /// `copies of one device are told apart`: two devices that hold recent writes of one of them have different device
  /// IDs.
  case copiesToldApart
  /// `nothing is left over`: no record waits for one that is present, every decision was reported, and subscriptions
  /// and diagnostics are as they should be.
  case nothingLeft
  /// `nobody asks for 10m`: no device sends a request during that time, which passes.
  case nobodyAsks(TimeSpan)
  /// `A, B show the same`.
  case same(DeviceChoice)
  /// `B has A's last action`; also for the cloud.
  case has(Place, RecordReference)
  /// `B lacks A's last action`.
  case lacks(Place, RecordReference)
  /// `B keeps photo 3 of A's last person`: the row on the device names the photo, and its bytes are on the device.
  case photo(String, Int, of: RecordReference)
  /// `B shows bottleVolume 90 in A's last action`.
  case field(Place, RecordReference, ScenarioField)
  /// `B push received 0, fetches at most 1`.
  case counts(String, [CounterCheck])
  /// `B reports zoneRemoved`, `B reports conflict at most 2 times`, `B never reports storm`.
  case reports(String, Fact.Kind, Quantity)
  /// `B decided by rule updatedAt`: the rule of B's newest conflict, or of the newest one over that record.
  case rule(String, String, RecordReference?)
  /// `B's journal holds A's last action`: the journal holds a version that lost a conflict.
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
  /// `nobody writes for 5m`: no device sends a write during that time, which passes.
  case noWrites(TimeSpan)
  /// `A asks nothing for 30s`: the device sends no request during that time, which passes.
  case noRequests(String, TimeSpan)
  /// `A never uses a token of mum`: the device sent no request with a change token that the cloud returned to another
  /// account.
  case tokenUnused(String, account: String)
  /// `A's device ID changed`, or `stayed`: since the device's first start.
  case deviceID(String, hasChanged: Bool)
  /// `A and C have different device IDs`.
  case differentDeviceIDs(String, String)
  /// `A holds nothing of mum`: there is nothing of that account in the device's store, among its changes to send, or in
  /// the cloud of the account that is now signed in. What the journal kept when the account left does not count.
  case holdsNothing(String, account: String)
  /// `A is running`, or `dead`: the state of the process.
  case running(Place, Bool)
  /// `A is idle`, or another state by its name in the diagnostics.
  case state(String, String)
  /// `A's status reads "3 pending, offline"`: the line of the sync state that users see begins so.
  case statusLine(String, String)
  /// `B's last fetch was for foreground`: the reason of the last fetch.
  case fetchReason(String, String)
  /// `B's diagnostics show a fetch in the last 5s`: the dump describes the last fetch correctly.
  case fetchShown(String, TimeSpan)
  /// `no two requests of A closer than 30s`: since the start or the last `count from here`.
  case requestsApart(String, TimeSpan)

  /// `A's channel is live`, or another state of the channel with change events.
  case channel(String, String)
  /// `A's migration is done`, or another state of the upload of local rows.
  case migration(String, String)
  /// `A's balance of Ben is 42.25`: what the person of that name owes, as the app shows it; in several currencies in the
  /// order of their codes, separated by commas.
  case balance(String, of: String, ScenarioValue)
  /// `the last push of the plain client ended as applied`, or another outcome of a change in the protocol of documents.
  case plainPush(String)

  /// The text behind `expect` from which the parser makes this value.
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
    case .photo(let device, let number, let record): "\(device) keeps photo \(number) of \(record.text)"
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
    case .statusLine(let device, let line): "\(device)'s status reads \(ScenarioWord.quoted(line))"
    case .fetchReason(let device, let reason): "\(device)'s last fetch was for \(reason)"
    case .fetchShown(let device, let span): "\(device)'s diagnostics show a fetch in the last \(span.text)"
    case .channel(let device, let state): "\(device)'s channel is \(state)"
    case .migration(let device, let state): "\(device)'s migration is \(state)"
    case .balance(let device, let name, let value):
      "\(device)'s balance of \(ScenarioWord.named(name)) is \(value.text)"
    case .plainPush(let outcome): "the last push of the plain client ended as \(outcome)"
    case .requestsApart(let device, let span): "no two requests of \(device) closer than \(span.text)"
    }
  }
}
