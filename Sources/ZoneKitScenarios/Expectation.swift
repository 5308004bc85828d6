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
  package var text: String { String(ScenarioStep.expect(self, within: nil).text.dropFirst("expect ".count)) }

  /// The record that it is about; nil if it is about none, or about several.
  package var record: RecordReference? {
    switch self {
    case .has(_, let record), .lacks(_, let record), .field(_, let record, _), .journal(_, let record),
      .photo(_, _, let record), .quarantine(_, let record):
      record
    case .rule(_, _, let record): record
    default: nil
    }
  }

  /// The values of its sentence by the labels of the slots.
  var values: SlotValues {
    switch self {
    case .everyoneAgrees, .noEditLost, .currentViews, .copiesToldApart, .nothingLeft: [:]
    case .convergence(let byPushes): ["way": .flag(byPushes)]
    case .nobodyAsks(let span), .noWrites(let span): ["span": .span(span)]
    case .same(let devices): ["devices": .devices(devices)]
    case .has(let place, let record), .lacks(let place, let record):
      ["place": .place(place), "record": .record(record)]
    case .photo(let device, let number, let record):
      ["device": .name(device), "number": .number(number), "record": .record(record)]
    case .field(let place, let record, let field):
      [
        "place": .place(place), "record": .record(record), "name": .name(field.name), "value": .value(field.value),
      ]
    case .counts(let device, let checks): ["device": .name(device), "counters": .counters(checks)]
    case .reports(let device, let fact, .exactly(0)), .reports(let device, let fact, .atLeast(1)):
      ["device": .name(device), "fact": .fact(fact)]
    case .reports(let device, let fact, let quantity):
      ["device": .name(device), "fact": .fact(fact), "quantity": .quantity(quantity)]
    case .rule(let device, let rule, let record):
      ["device": .name(device), "name": .name(rule), "record": record.map(SlotValue.record)]
    case .journal(let device, let record), .quarantine(let device, let record):
      ["device": .name(device), "record": .record(record)]
    case .subscription(let device, let state), .state(let device, let state), .channel(let device, let state),
      .migration(let device, let state):
      ["device": .name(device), "state": .name(state)]
    case .subscriptions(let quantity, let device): ["device": .name(device), "quantity": .quantity(quantity)]
    case .drought(let device, let isTrue), .storm(let device, let isTrue), .deviceID(let device, let isTrue):
      ["device": .name(device), "way": .flag(isTrue)]
    case .noRequests(let device, let span), .fetchShown(let device, let span), .requestsApart(let device, let span):
      ["device": .name(device), "span": .span(span)]
    case .tokenUnused(let device, let name), .holdsNothing(let device, let name), .statusLine(let device, let name),
      .fetchReason(let device, let name):
      ["device": .name(device), "name": .name(name)]
    case .differentDeviceIDs(let device, let other): ["device": .name(device), "other": .name(other)]
    case .running(let place, let isRunning): ["place": .place(place), "way": .flag(isRunning)]
    case .balance(let device, let name, let value):
      ["device": .name(device), "name": .name(name), "value": .value(value)]
    case .plainPush(let outcome): ["outcome": .name(outcome)]
    }
  }
}
