import ZoneKitDeviceProcess
import ZoneKitRecords
import ZoneKitSync

/// A device's connections to its cloud: they carry out what the device's process asks for, and report what arrives to the
/// device that they were made for.
protocol CloudLink: AnyObject {
  /// The account whose app is shown, as far as the link determines it.
  var account: Name? { get }

  /// The device's connection to the push service; nil if the cloud has none for it.
  var pushSocket: DeviceDiagnostics.Socket? { get }

  /// The coordinator was launched.
  func coordinatorLaunched()

  /// The app's process ended, and its connections with it.
  func appEnded()

  /// Carries out an effect of the device's process that is about the cloud, the files or the session, or learns what the
  /// process tells.
  func carryOut(_ effect: DeviceEffect)

  /// Whether a request was written to the cloud and its answer is missing.
  var awaitsAnswer: Bool { get }

  /// The device lost its link or got it back. The process learns it next.
  func linkChanged(isOnline: Bool)

  /// Ends all connections.
  func close()
}
