import ZoneKitRecords

/// Makes sure that the cloud holds the subscription that wakes this device, by looking at what is there.
///
/// A note on the device that one was made proves nothing: the cloud may have lost it, or it may be mute.
public struct SubscriptionCheck: Hashable, Sendable {
  /// How the subscription came to be.
  public enum Origin: String, CaseIterable, Hashable, Sendable {
    /// The cloud had it.
    case found
    /// This device created it.
    case created
    /// This device replaced one that would not wake it.
    case replaced
  }

  /// A subscription that wakes this device.
  struct Verified: Hashable, Sendable {
    var subscriptionID: String
    var origin: Origin
  }

  private enum State: Hashable, Sendable {
    case lookingUp
    case creating
    case replacing
    /// The cloud says that the subscription exists under another ID.
    case listing(CloudError)
    /// The subscription is there; looking for others that do the same.
    case comparing(Verified)
    case removing(Verified, extras: [String])
  }

  enum Step: Hashable, Sendable {
    case ask(CloudRequest)
    case verified(Verified)
    case failed(CloudError)
  }

  private let wanted: Subscription
  private let removesExtras: Bool
  private var state = State.lookingUp

  init(subscriptionID: String, removesExtras: Bool = true) {
    self.removesExtras = removesExtras
    wanted = Subscription(subscriptionID: subscriptionID, kind: .database, notificationInfo: .silent)
  }

  /// What to ask the cloud now.
  var request: CloudRequest {
    switch state {
    case .lookingUp: .lookupSubscriptions([wanted.subscriptionID])
    case .creating: .modifySubscriptions([.create(wanted)])
    case .replacing: .modifySubscriptions([.update(wanted)])
    case .listing, .comparing: .listSubscriptions
    case .removing(_, let extras): .modifySubscriptions(extras.map { .delete($0) })
    }
  }

  /// What holds although the request under way fails; nil where everything depends on it.
  var outcomeSoFar: Step? {
    switch state {
    case .lookingUp, .creating, .replacing, .listing: nil
    case .comparing(let verified), .removing(let verified, _): .verified(verified)
    }
  }

  /// Takes the answer in and says what comes next.
  mutating func received(_ results: [SubscriptionResult]) -> Step {
    switch state {
    case .lookingUp: lookedUp(results.first)
    case .creating: saved(results.first, origin: .created)
    case .replacing: saved(results.first, origin: .replaced)
    case .listing(let error): listed(results, duplicate: error)
    case .comparing(let verified): compared(results, with: verified)
    case .removing(let verified, _): .verified(verified)
    }
  }

  private mutating func lookedUp(_ result: SubscriptionResult?) -> Step {
    switch result {
    case .subscription(let subscription) where Self.wakes(subscription):
      return isThere(Verified(subscriptionID: subscription.subscriptionID, origin: .found))
    case .subscription, .replaced:
      state = .replacing
      return .ask(request)
    case .failed(_, let error) where error.code != .unknownItem: return .failed(error)
    case .failed, .deleted, nil:
      state = .creating
      return .ask(request)
    }
  }

  private mutating func saved(_ result: SubscriptionResult?, origin: Origin) -> Step {
    switch result {
    case .subscription(let subscription):
      return isThere(Verified(subscriptionID: subscription.subscriptionID, origin: origin))
    // Another device made it between the look and the save.
    case .replaced(let subscription):
      return isThere(Verified(subscriptionID: subscription.subscriptionID, origin: .found))
    // Duplicates are recognised by content: native code 15/2032, over the web an internal error (sync semantics, 2.1).
    case .failed(_, let error) where error.code == .serverRejectedRequest || error.code == .internalError:
      state = .listing(error)
      return .ask(request)
    case .failed(_, let error): return .failed(error)
    case .deleted, nil:
      return .failed(CloudError(.internalError, "the cloud did not answer with the subscription that was saved"))
    }
  }

  /// The subscription is as it should be; another one may have come beside it at any time.
  private mutating func isThere(_ verified: Verified) -> Step {
    guard removesExtras else { return .verified(verified) }
    state = .comparing(verified)
    return .ask(request)
  }

  private func listed(_ results: [SubscriptionResult], duplicate: CloudError) -> Step {
    for case .subscription(let subscription) in results where Self.wakes(subscription) {
      return .verified(Verified(subscriptionID: subscription.subscriptionID, origin: .found))
    }
    return .failed(duplicate)
  }

  /// Others that wake the app for the same changes make each change push twice (sync semantics, scenario 11).
  private mutating func compared(_ results: [SubscriptionResult], with verified: Verified) -> Step {
    var extras: [String] = []
    for case .subscription(let subscription) in results where Self.wakes(subscription) {
      if subscription.subscriptionID != verified.subscriptionID { extras.append(subscription.subscriptionID) }
    }
    guard !extras.isEmpty else { return .verified(verified) }
    state = .removing(verified, extras: extras)
    return .ask(request)
  }

  /// Whether a subscription covers the whole database, silently wakes the app and stays.
  private static func wakes(_ subscription: Subscription) -> Bool {
    subscription.kind == .database && subscription.notificationInfo?.shouldSendContentAvailable == true
      && !subscription.firesOnce
  }
}
