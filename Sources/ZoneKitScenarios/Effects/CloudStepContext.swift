import ZoneKitRecords

/// What a step about the cloud needs from its player.
package protocol CloudStepContext {
  /// The error of a step that cannot be done.
  associatedtype Refusal: Error

  /// The ID of a record that a step names.
  func id(of record: RecordReference) throws(Refusal) -> RecordID
  /// The device ID that the device sends to the cloud.
  func deviceID(of device: String) throws(Refusal) -> String
  /// The account that a step names.
  func account(of holder: Holder) throws(Refusal) -> Name
  /// The ID of a zone; of the app's zone if the name is nil.
  func zone(_ name: String?) throws(Refusal) -> ZoneID
  /// The ID of the app's subscription.
  func subscriptionID() throws(Refusal) -> String
  /// The true time.
  var wall: WallTime { get }
}
