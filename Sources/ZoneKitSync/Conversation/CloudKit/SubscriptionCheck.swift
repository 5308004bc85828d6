import ZoneKitRecords

/// Checks that the cloud has a subscription that wakes this device, and creates or replaces it if necessary.
///
/// A local flag that one was created is no proof: the cloud may have lost the subscription, or it may not send silent
/// pushes.
public struct SubscriptionCheck: Hashable, Sendable {
  /// What the check did.
  public enum Origin: String, CaseIterable, Hashable, Sendable {
    /// The cloud had the subscription.
    case found
    /// This device created it.
    case created
    /// This device replaced one that would not have woken it.
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
    /// The cloud refused to create the subscription because one exists under another ID. The error is kept.
    case listing(CloudError)
    /// The subscription exists. The check looks for others with the same effect.
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

  /// The request to send.
  var request: CloudRequest {
    switch state {
    case .lookingUp: .lookupSubscriptions([wanted.subscriptionID])
    case .creating: .modifySubscriptions([.create(wanted)])
    case .replacing: .modifySubscriptions([.update(wanted)])
    case .listing, .comparing: .listSubscriptions
    case .removing(_, let extras): .modifySubscriptions(extras.map { .delete($0) })
    }
  }

  /// The result that is valid even if the pending request fails; nil if there is none.
  var outcomeSoFar: Step? {
    switch state {
    case .lookingUp, .creating, .replacing, .listing: nil
    case .comparing(let verified), .removing(let verified, _): .verified(verified)
    }
  }

  /// The results of the request arrived. Returns the next step.
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
    // Another device created it between the lookup and the save.
    case .replaced(let subscription):
      return isThere(Verified(subscriptionID: subscription.subscriptionID, origin: .found))
    // CloudKit recognises duplicates by content: native code 15/2032, on the web an internal error (sync semantics,
    // 2.1).
    case .failed(_, let error) where error.code == .serverRejectedRequest || error.code == .internalError:
      state = .listing(error)
      return .ask(request)
    case .failed(_, let error): return .failed(error)
    case .deleted, nil:
      return .failed(CloudError(.internalError, "the cloud did not answer with the subscription that was saved"))
    }
  }

  /// The step after the subscription was verified: looking for others with the same effect.
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

  /// The step after comparing: deleting other subscriptions for the same changes, because each of them makes a push of
  /// its own (sync semantics, scenario 11).
  private mutating func compared(_ results: [SubscriptionResult], with verified: Verified) -> Step {
    var extras: [String] = []
    for case .subscription(let subscription) in results where Self.wakes(subscription) {
      if subscription.subscriptionID != verified.subscriptionID { extras.append(subscription.subscriptionID) }
    }
    guard !extras.isEmpty else { return .verified(verified) }
    state = .removing(verified, extras: extras)
    return .ask(request)
  }

  /// Whether a subscription covers the whole database, sends silent pushes and does not end after the first one.
  private static func wakes(_ subscription: Subscription) -> Bool {
    subscription.kind == .database && subscription.notificationInfo?.shouldSendContentAvailable == true
      && !subscription.firesOnce
  }
}
