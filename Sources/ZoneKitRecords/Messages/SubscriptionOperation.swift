/// One operation of a `modifySubscriptions` request.
public enum SubscriptionOperation: Hashable, Sendable {
  /// Save the subscription. One with the same ID is replaced.
  case create(Subscription)
  /// Replace the subscription of the same ID.
  case update(Subscription)
  /// Remove the subscription of that ID.
  case delete(String)
  /// The operation cannot be read, for the reason in the error.
  case malformed(subscriptionID: String?, CloudError)
}

extension SubscriptionOperation {
  /// The subscription that the operation saves; nil if it saves none.
  package var saved: Subscription? {
    switch self {
    case .create(let subscription), .update(let subscription): subscription
    case .delete, .malformed: nil
    }
  }
}

/// The result of a request for one subscription.
public enum SubscriptionResult: Hashable, Sendable {
  /// The subscription's present state.
  case subscription(Subscription)
  /// The subscription replaced one of the same ID, which another device may just have created.
  case replaced(Subscription)
  /// The subscription was deleted.
  case deleted(String)
  /// The operation failed.
  case failed(String?, CloudError)
}
