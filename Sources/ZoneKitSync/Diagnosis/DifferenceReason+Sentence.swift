import ZoneKitRecords

extension DifferenceReason {
  /// The reason as a sentence that begins with the device's name, without a full stop.
  package func sentence(device: String) -> String {
    let what = "\(device) \(clause)"
    return cause(of: device).map { "\(what): \($0)" } ?? what
  }

  /// The cause that keeps that device and the cloud from agreeing; nil if nothing shows it.
  package func cause(of device: String) -> String? { cause?.text(of: device) }

  /// What happened to the record, without the device's name.
  var clause: String {
    switch event {
    case .quarantined(let reason): "keeps its version back, in quarantine: \(reason)"
    case .unanswered(let since): "sent its edit of \(since.iso8601) and has no answer yet"
    case .unsent(let since, let isDeletion, let cloudChangedAt):
      "\(isDeletion ? "deleted" : "changed") it at \(since.iso8601) and has not sent that yet"
        + (cloudChangedAt.map { ", nor seen that the cloud changed it at \($0.iso8601)" } ?? "")
    case .unseen(let changedAt, let change):
      "has not seen that \(change.text)\(changedAt.map { " at \($0.iso8601)" } ?? ""), \(lastFetch)"
    case .tampered(let tag):
      "has seen the cloud's version \(tag.text) and shows other content: a file was changed by hand"
    case .forgotten:
      "has a version of it from the cloud, which knows neither the record nor its deletion: the cloud is another one, "
        + "or older than the device"
    }
  }

  private var lastFetch: String {
    lastFetchAt.map { "its last fetch was at \($0.iso8601)" } ?? "it never fetched"
  }
}

extension DifferenceReason.Change {
  fileprivate var text: String {
    switch self {
    case .saved: "the cloud changed it"
    case .deleted: "it was deleted on the cloud"
    case .zoneDeleted: "its zone was deleted on the cloud"
    }
  }
}

extension DifferenceReason.Cause {
  fileprivate func text(of device: String) -> String {
    switch self {
    case .signedOut: "it is signed out"
    case .noLink: "it is offline"
    case .offline(let code): "it cannot reach the cloud (\(code.rawValue))"
    case .failing(let code): "its last fetch failed with \(code.rawValue)"
    case .askedToWait(let until): "the cloud asked it to wait until \(until.iso8601)"
    case .quotaExceeded(let since): "the account's storage is full since \(since.iso8601)"
    case .neverFetched: "it has just begun"
    case .zoneUnfinished: "it knows that the zone changed and has not read it to the end"
    case .fetchedSince(let at): "the fetch at \(at.iso8601) did not bring it, its position is ahead of what it holds"
    case .pushUnhandled(let receivedAt): "the push of \(receivedAt.iso8601) is not handled yet"
    case .pushIgnored(let receivedAt, let reason):
      "the push of \(receivedAt.iso8601) was ignored, because \(reason.text)"
    case .notSubscribed(let state, let error):
      "its subscription is \(state.rawValue)" + (error.map { " (\($0))" } ?? "") + ", so no push comes"
    case .notRunning: "it is not running"
    case .drought(let lastPushAt): "a drought of pushes, \(Self.last(lastPushAt))"
    case .pushLost(let lastPushAt): "the push was lost, \(Self.last(lastPushAt))"
    case .pushWaits(let socket, true):
      "the push waits at the service: \(device) is \((socket.flatMap { $0.isConnected ? nil : $0 })?.words() ?? "not connected")"
    case .pushWaits(_, false): "it is not running, and the push waits at the service"
    case .pushHeld(false): "the push is under way: a fault of the service holds it back"
    case .pushHeld(true): "the event of its channel is under way: a fault of the service holds it back"
    case .pushDropped(let at, isEvent: false): "the push of \(at.timeOfDay.prefix(8)) was dropped by the fault plan"
    case .pushDropped(let at, isEvent: true):
      "the event of \(at.timeOfDay.prefix(8)) on its channel was dropped by the fault plan"
    case .subscriptionMissing(let id): "the cloud has no subscription \(id) of it, so no push is made"
    case .subscriptionMute(let id): "its subscription \(id) makes no silent pushes, so no push is made"
    case .noPushSocket(let socket): "its push socket is \(socket.words())"
    case .notRegistered: "the push service has no registration of it, so no push comes"
    case .eventLost(let lastEventAt): "no event of its channel announced it, \(Self.last(lastEventAt))"
    case .notAnnounced: "the service announces no changes of such records, the next fetch brings it"
    }
  }

  private static func last(_ push: WallTime?) -> String {
    push.map { "the last one came at \($0.iso8601)" } ?? "none ever came"
  }
}
