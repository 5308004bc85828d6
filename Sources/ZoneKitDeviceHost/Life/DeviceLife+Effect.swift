import ZoneKitRecords

extension DeviceLife {
  /// What the driver has to do, in the order returned.
  package enum Effect: Hashable, Sendable {
    /// Start the app's process, in front or not as `state` says.
    case launch
    /// Let the app run in the background until then; a suspended one resumes.
    case run(until: MonotonicTime)
    /// Give the push to the app.
    case hand(PushNotification)
    /// Suspend the app: it computes nothing and receives nothing until it runs again.
    case suspend
    /// The push waits, for that reason. Nothing is to be done.
    case hold(PushNotification, HoldReason)
    /// The push never reaches the app, for that reason. Nothing is to be done.
    case discard(PushNotification, DiscardReason)
  }

  /// Why a push waits for the app.
  package enum HoldReason: String, CaseIterable, Hashable, Sendable {
    /// The device saves power.
    case lowPower = "low power"
    /// The user does not let the app run in the background.
    case refreshOff = "background refresh off"
    /// The app was woken often enough for now.
    case budget = "budget spent"
    /// The system takes its time.
    case delay = "delayed"
  }

  /// Why a push never reaches the app; the words are the push service's own where it has some (sync semantics, 2.3).
  package enum DiscardReason: String, CaseIterable, Hashable, Sendable {
    /// The system holds one push and a newer one came.
    case overwritten = "overwritten by a newer notification"
    /// The user force-quit the app.
    case forceQuit = "force-quit"
    /// The app's process ended while the push waited.
    case appEnded = "app ended"
    /// The device is off.
    case poweredOff = "powered off"
    /// The push has something for the user and nothing for an app that is not in front.
    case notForApp = "no content available"
  }
}
