import ZoneKitPush
import ZoneKitRecords

/// What the push socket needs of the server that has the cloud's process.
protocol PushHost: AnyObject {
  /// The push service as it is now.
  var gateway: PushGateway { get }
  /// Called with the instructions of the push service that follow from commits.
  var onPushes: ([PushGateway.Effect]) -> Void { get set }
  /// Passes an event to the push service.
  func withGateway<Answer>(_ act: (inout PushGateway) -> Answer) -> Answer
  /// Ends the turn of the push service. `measure` returns the size of a notification's payload in bytes.
  func sendPushes(measure: (PushNotification) -> Int) -> [PushGateway.Effect]
  /// Whether the fault plan has faults.
  var hasFaults: Bool { get }
  /// What the fault plan does to a push on its way to one receiver; nil for nothing.
  func pushFault(on subject: FaultSubject) -> PushFault?
  /// Whether a fault makes pushes wait for the next one.
  var swapsPushes: Bool { get }
  /// Calls `deliver` after that time; at once if it is zero.
  func delay(milliseconds: Int64, _ deliver: @escaping () -> Void)
}
