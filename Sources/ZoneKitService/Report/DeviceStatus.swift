import ZoneKitEventLoop
import ZoneKitRecords

/// Asks a running device for its part of the diagnostics dump.
enum DeviceStatus {
  /// What the device with that control socket says: an object of `device` and `traces`. Throws where it does not answer.
  static func fetch(from address: Address) throws(ServiceError) -> JSON {
    let answer = try ControlClient.ask(["ask": "diagnostics"], at: address)
    guard answer["device"]?.object != nil else {
      throw ServiceError("\(address) answered \(answer.text().prefix(200))")
    }
    return answer
  }
}
