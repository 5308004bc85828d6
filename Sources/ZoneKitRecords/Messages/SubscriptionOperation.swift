/// One operation of a `modifySubscriptions` request.
public enum SubscriptionOperation: Hashable, Sendable {
  /// Save the subscription; one of the same ID is replaced.
  case create(Subscription)
  /// Replace the subscription of the same ID.
  case update(Subscription)
  /// Remove the subscription of that ID.
  case delete(String)
  /// The operation cannot be read; the error says why.
  case malformed(subscriptionID: String?, CloudError)
}

extension SubscriptionOperation {
  /// The subscription that the operation saves; nil where it saves none.
  package var saved: Subscription? {
    switch self {
    case .create(let subscription), .update(let subscription): subscription
    case .delete, .malformed: nil
    }
  }
}

/// The result of a request for one subscription.
public enum SubscriptionResult: Hashable, Sendable {
  /// The subscription as it is now.
  case subscription(Subscription)
  /// The subscription was created in the place of one of the same ID, which somebody else may just have made.
  case replaced(Subscription)
  /// The subscription is gone.
  case deleted(String)
  /// Nothing was done.
  case failed(String?, CloudError)
}
