import ZoneKitRecords
import ZoneKitScenarios

/// What a player knows, as far as a step about the cloud depends on it.
package protocol CloudStepContext {
  /// Why a step cannot be done.
  associatedtype Refusal: Error

  /// The record that is meant.
  func id(of record: RecordReference) throws(Refusal) -> RecordID
  /// What a device calls itself when it asks the cloud.
  func deviceID(of device: String) throws(Refusal) -> String
  /// The account that is meant.
  func account(of holder: Holder) throws(Refusal) -> Name
  /// The zone of that name; the app's own where nil.
  func zone(_ name: String?) throws(Refusal) -> ZoneID
  /// The ID of the app's subscription.
  func subscriptionID() throws(Refusal) -> String
  /// The true time.
  var wall: WallTime { get }
}
