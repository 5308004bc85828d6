import ZoneKitRecords

/// The end of a device's process. What waits is sent first, without quiet times and for a limited time. A request that was
/// written is waited for even longer, because the server may carry it out. Then the device says what it has not sent.
///
/// It is a machine: a driver passes what it sees after each event, and carries out the effects.
package struct DeviceEnding: Sendable {
  /// A reason why a device sends nothing until its user does something. Unsent edits are expected then.
  package enum Hindrance: Hashable, Sendable {
    /// The device was told that it has no network.
    case offline
    /// No account is signed in.
    case signedOut
    /// The app does not run; the text is its state.
    case appAway(String)
    /// The device was given no server, and none has run in its folder.
    case noServer

    /// The reason as a sentence.
    var text: String {
      switch self {
      case .offline: "the device is offline"
      case .signedOut: "nobody is signed in"
      case .appAway(let state): "the app is \(state)"
      case .noServer: "no server runs here; zonekit serve starts one"
      }
    }
  }

  /// What a driver sees of the device.
  package struct Sight: Hashable, Sendable {
    /// The edits that wait to be sent, without those that the cloud has refused.
    package var edits = 0
    /// The photos that wait to be uploaded.
    package var photos = 0
    /// The edits that the cloud has refused.
    package var refused = 0
    /// Why the cloud refused the first of them; nil if there is none.
    package var refusal: String?
    /// Whether no sync runs or is requested, and nothing else is under way.
    package var isIdle = true
    /// Whether a sync runs.
    package var isSyncing = false
    /// Whether a sync is requested and waits for a quiet time.
    package var isDebouncing = false
    /// Whether a request was written to the server, and its answer is missing.
    package var awaitsAnswer = false
    /// Whether a command asked the server for something that has not been done.
    package var isAsked = false
    /// Why nothing is sent; nil if the device can send.
    package var hindrance: Hindrance?
    /// Whether the cloud refuses the account or the app, so that no sync is tried again without the user.
    package var isRefused = false
    /// The error of the last sync; nil if it succeeded.
    package var error: String?

    /// A device that has sent everything.
    package init() {}

    var hasUnsent: Bool { edits > 0 || photos > 0 }
    /// Whether the device has something to do before it ends.
    var isOwing: Bool { hasUnsent || isAsked }
  }

  /// What was not sent at the end.
  package struct Outcome: Hashable, Sendable {
    /// The number of edits.
    package let edits: Int
    /// The number of photos.
    package let photos: Int
    /// The number of edits that the cloud has refused.
    package let refused: Int
    /// Whether a command asked the server for something that was not done.
    package let isAsked: Bool
    /// Why edits or photos were not sent, or that was not done.
    package let reason: String
    /// Why the cloud refused the first edit; nil if it refused none.
    package let refusal: String?
    /// Whether the device was told not to send, or has nothing to send, and the cloud refused nothing.
    package let isExpected: Bool

    /// A sentence such as `1 edit not sent: connection refused` or `1 edit was refused: its type is unknown`; nil if
    /// everything was done.
    package var text: String? {
      let waiting = [(edits, "edit"), (photos, "photo")].filter { $0.0 > 0 }.map { $0.0.counted($0.1) }
      var parts = waiting.isEmpty ? [] : ["\(waiting.joined(separator: " and ")) not sent: \(reason)"]
      if waiting.isEmpty, isAsked { parts.append("not synced: \(reason)") }
      if refused > 0 {
        let verb = refused == 1 ? "was" : "were"
        parts.append("\(refused.counted("edit")) \(verb) refused: \(refusal ?? "the reason is not known")")
      }
      return parts.isEmpty ? nil : parts.joined(separator: "; ")
    }
  }

  /// An instruction to the driver.
  package enum Effect: Hashable, Sendable {
    /// Request a sync without a quiet time.
    case sendNow
    /// Begin no further requests.
    case beginNothing
    /// End the process.
    case end(Outcome)
  }

  private enum State: Hashable {
    case running
    /// What waits is being sent. `hasAsked` says whether a sync was requested for it since the last one.
    case sending(until: MonotonicTime, hasAsked: Bool)
    /// The time is over, and what a command asked for is still being done.
    case finishing
    /// The time is over, and an answer is missing.
    case awaitingAnswer
    case ended
  }

  /// How long the device goes on to send what waits, in milliseconds. At 0 no sync is requested.
  private let linger: Int64
  private var state = State.running
  private var hasEverAsked = false

  /// The end of a device that goes on that long to send what waits, in milliseconds.
  package init(linger: Int64) { self.linger = linger }

  /// Until when the device sends; nil if only an event can change the state.
  package var nextDeadline: MonotonicTime? { if case .sending(let until, _) = state { until } else { nil } }

  /// The device wants to end, or something has happened since.
  package mutating func proceed(_ sight: Sight, at now: MonotonicTime) -> [Effect] {
    switch state {
    case .running:
      state = .sending(until: now.advanced(byMilliseconds: linger), hasAsked: linger == 0)
      return proceed(sight, at: now)
    case .sending(let until, let hasAsked):
      if sight.isIdle, !sight.isOwing { return end(sight) }
      let isRefused = sight.isRefused && (hasEverAsked || !sight.hasUnsent)
      if !sight.awaitsAnswer, sight.isStuck || isRefused { return end(sight) }
      guard now < until else { return timeOver(sight) }
      return ask(sight, until: until, hasAsked: hasAsked)
    case .finishing: return sight.isAsked && sight.isSyncing ? [] : timeOver(sight)
    case .awaitingAnswer: return sight.awaitsAnswer && sight.hasUnsent ? [] : end(sight)
    case .ended: return []
    }
  }

  /// The user does not want to wait any longer.
  package mutating func interrupted(_ sight: Sight) -> [Effect] {
    if case .ended = state { return [] }
    return end(sight, because: "interrupted")
  }

  /// Requests a sync for what waits: once at the beginning, and whenever more waits for a quiet time.
  private mutating func ask(_ sight: Sight, until: MonotonicTime, hasAsked: Bool) -> [Effect] {
    guard !sight.isSyncing else {
      state = .sending(until: until, hasAsked: false)
      return []
    }
    guard sight.edits > 0, !hasAsked, sight.isDebouncing || !hasEverAsked else { return [] }
    state = .sending(until: until, hasAsked: true)
    hasEverAsked = true
    return [.sendNow]
  }

  private mutating func timeOver(_ sight: Sight) -> [Effect] {
    if linger > 0, sight.isAsked, sight.isSyncing {
      state = .finishing
      return []
    }
    guard sight.awaitsAnswer, sight.hasUnsent else { return end(sight) }
    state = .awaitingAnswer
    return [.beginNothing]
  }

  private mutating func end(_ sight: Sight, because reason: String? = nil) -> [Effect] {
    state = .ended
    let cause = sight.hindrance?.text ?? reason ?? sight.error
    let outcome = Outcome(
      edits: sight.edits, photos: sight.photos, refused: sight.refused, isAsked: sight.isAsked,
      reason: cause ?? "the time of --linger is over", refusal: sight.refusal,
      isExpected: sight.refused == 0 && (!sight.isOwing || sight.hindrance != nil))
    return [.end(outcome)]
  }
}

extension DeviceEnding.Sight {
  /// Whether waiting is of no use. A server can still start where none has run.
  fileprivate var isStuck: Bool {
    switch hindrance {
    case .offline, .signedOut, .appAway: true
    case .noServer, nil: false
    }
  }
}
