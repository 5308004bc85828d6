import ZoneKitRecords

/// States that a store keeps as words.
extension DeviceMemory {
  /// How sure the device is of its subscription.
  var subscriptionState: DeviceDiagnostics.Subscription.State {
    get { text(.subscriptionState).flatMap(DeviceDiagnostics.Subscription.State.init(rawValue:)) ?? .unknown }
    set { set(.subscriptionState, newValue.rawValue) }
  }

  /// How the subscription came to be.
  var subscriptionOrigin: SubscriptionCheck.Origin? {
    get { text(.subscriptionOrigin).flatMap(SubscriptionCheck.Origin.init(rawValue:)) }
    set { set(.subscriptionOrigin, newValue?.rawValue) }
  }

  /// How the last fetch ended; nil where there was none.
  var fetchResult: FetchResult? {
    get { text(.fetchLastResult).flatMap(FetchResult.init(text:)) }
    set { set(.fetchLastResult, newValue?.text) }
  }
}
