import ZoneKitRecords

extension DeviceLife {
  /// An instruction to the driver. Effects are carried out in the order returned.
  package enum Effect: Hashable, Sendable {
    /// Start the app's process, in the state that `state` has.
    case launch
    /// Let the app run in the background until that time. A suspended app resumes.
    case run(until: MonotonicTime)
    /// Pass the push to the app.
    case hand(PushNotification)
    /// Suspend the app: it does nothing and receives nothing until it runs again.
    case suspend
    /// Report that the push waits, for that reason. There is nothing to do.
    case hold(PushNotification, HoldReason)
    /// Report that the push is discarded, for that reason. There is nothing to do.
    case discard(PushNotification, DiscardReason)
  }

  /// The reason why a push waits.
  package enum HoldReason: String, CaseIterable, Hashable, Sendable {
    /// The device is in low power mode.
    case lowPower = "low power"
    /// The user has turned background refresh off.
    case refreshOff = "background refresh off"
    /// The app's budget of pushes that wake it is spent.
    case budget = "budget spent"
  }

  /// The reason why a push is discarded, in APNs' own words if there are any (sync semantics, 2.3).
  package enum DiscardReason: String, CaseIterable, Hashable, Sendable {
    /// The system holds one push, and a newer one replaced it.
    case overwritten = "overwritten by a newer notification"
    /// The user force-quit the app.
    case forceQuit = "force-quit"
    /// The app's process ended while the push was waiting.
    case appEnded = "app ended"
    /// The device is off.
    case poweredOff = "powered off"
    /// The push is visible and has no content for an app that is not in the foreground.
    case notForApp = "no content available"
  }
}
