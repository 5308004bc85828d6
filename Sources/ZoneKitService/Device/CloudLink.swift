import ZoneKitRecords
import ZoneKitSync

/// A device's connections to its cloud: requests of the coordinator, and what tells the device to fetch.
///
/// The link reports to the device that it was made for. Requests and what depends on them belong to the app's process,
/// and end with it.
protocol CloudLink: AnyObject {
  /// The account whose app is shown, as far as the link determines it.
  var account: Name? { get }

  /// The device's connection to the push service; nil if the cloud has none for it.
  var pushSocket: DeviceDiagnostics.Socket? { get }

  /// The app's process was started. Its coordinator is launched next.
  func appStarted()

  /// The coordinator was launched.
  func coordinatorLaunched()

  /// The app's process is suspended. It receives nothing until it resumes.
  func appSuspended()

  /// The app's process ended.
  func appEnded()

  /// Sends a request of the coordinator, or one that it is likely to make next. The completion is called at most once. It
  /// may send the next request.
  func send(_ request: CloudRequest, completion: @escaping (Result<CloudResponse, CloudError>) -> Void)

  /// Whether a request was written to the cloud and its answer is missing.
  var awaitsAnswer: Bool { get }

  /// Begins nothing beside the coordinator's requests any more.
  func beginNothing()

  /// The device lost its link or got it back. The coordinator learns it next.
  func linkChanged(isOnline: Bool)

  /// The app came to the front or left it.
  func frontChanged(isInFront: Bool)

  /// Remote changes affected those records.
  func recordsChanged(_ records: [RecordID])

  /// The coordinator reported a fact.
  func heard(_ fact: DeviceFact)

  /// Ends all connections.
  func close()
}
