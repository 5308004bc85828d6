import ZoneKitRecords

/// Values that are states and are stored as text.
extension DeviceMemory {
  /// The state of the subscription.
  var subscriptionState: DeviceDiagnostics.Subscription.State {
    get { text(.subscriptionState).flatMap(DeviceDiagnostics.Subscription.State.init(rawValue:)) ?? .unknown }
    set { set(.subscriptionState, newValue.rawValue) }
  }

  /// How the subscription came into being.
  var subscriptionOrigin: SubscriptionCheck.Origin? {
    get { text(.subscriptionOrigin).flatMap(SubscriptionCheck.Origin.init(rawValue:)) }
    set { set(.subscriptionOrigin, newValue?.rawValue) }
  }

  /// The result of the last fetch; nil if there was none.
  var fetchResult: FetchResult? {
    get { text(.fetchLastResult).flatMap(FetchResult.init(text:)) }
    set { set(.fetchLastResult, newValue?.text) }
  }
}
