import ZoneKitDeviceHost
import ZoneKitRecords

/// An error that says why a player cannot do what a scenario asks for.
package protocol ScenarioRefusal: Error {
  /// The error with that reason.
  static func refused(_ reason: String) -> Self
}

/// What a player can observe of its devices and its cloud. Expectations ask for nothing else, so that they mean the same
/// in virtual time and on processes.
package protocol Observation: CloudStepContext where Refusal: ScenarioRefusal {
  /// A device of the player.
  associatedtype Device

  /// The names of all devices, in the order in which they were added.
  var deviceNames: [String] { get }
  /// The device of that name. Throws if there is none.
  func existing(_ device: String) throws(Refusal) -> Device
  /// The app on a device.
  func app(on device: Device) -> DeviceApp
  /// The app with the record that a scenario names.
  func app(of record: RecordReference) throws(Refusal) -> DeviceApp
  /// Whether a process runs that its user has not ended.
  func isRunning(_ place: Place) throws(Refusal) -> Bool

  /// What a place shows of a record; nil if it does not have it.
  func content(of record: RecordReference, at place: Place) throws(Refusal) -> RecordContent?
  /// What differs between the devices of each account that are signed in and its cloud, or waits to be sent, as
  /// sentences.
  func disagreements() throws(Refusal) -> [String]
  /// What differs between the records of the devices, as sentences.
  func differences(among devices: [Device]) throws(Refusal) -> [String]
  /// What remains of an account in a device's store, or in the cloud of the account that is signed in there, as
  /// sentences.
  func leftovers(of account: String, on device: Device) throws(Refusal) -> [String]

  /// What a device says of itself.
  func status(of device: Device) throws(Refusal) -> ObservedStatus
  /// The decisions in a device's journal of conflicts, newest first.
  func decisions(of device: Device) throws(Refusal) -> [(record: RecordID, rule: String)]
  /// Whether a device holds a record back.
  func isQuarantined(_ record: RecordReference, on device: Device) throws(Refusal) -> Bool
  /// The state of a device for its app.
  func view(of device: Device) throws(Refusal) -> AppView
  /// What is wrong if a row on a device is to name the photo of that number, and its bytes are to be there; nil if nothing
  /// is.
  func photoFinding(_ photo: Int, of record: RecordReference, on device: Device) throws(Refusal) -> String?
  /// The device IDs that a device used first and last; nil before its first start.
  func deviceIDs(of device: Device) throws(Refusal) -> (first: String, last: String)?

  /// A counter of a device since `count from here`.
  func count(_ counter: Counter, on device: Device) throws(Refusal) -> Int
  /// How often a device has reported a fact since `count from here`.
  func count(of fact: Fact.Kind, on device: Device) throws(Refusal) -> Int
  /// The least time between two requests of a device in milliseconds; nil if there were fewer.
  func closestRequests(of device: Device) throws(Refusal) -> Int64?
  /// Whether a device has sent a token that the cloud gave to that account while another one was signed in.
  func hasUsed(tokenOf account: String, on device: Device) throws(Refusal) -> Bool
  /// The number of subscriptions that the cloud has of a device's account; of open sockets of a device with tables. Nil
  /// if nobody is signed in.
  func subscriptions(of device: Device) throws(Refusal) -> Int?
  /// The plain client of documents.
  var plainClient: PlainClient { get }
}

extension Observation {
  /// The devices that a scenario chooses.
  package func existing(_ devices: DeviceChoice) throws(Refusal) -> [Device] {
    try devices.names(among: deviceNames).map { (name) throws(Refusal) in try existing(name) }
  }
}
