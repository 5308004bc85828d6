import ZoneKitEventLoop
import ZoneKitRecords

/// Gets the device's part of the diagnostics dump from a running device.
enum DeviceStatus {
  /// The answer of the device with that control socket: an object of `device` and `traces`. Throws if there is none.
  static func fetch(from address: Address) throws(ServiceError) -> JSON {
    let answer = try ControlClient.ask(["ask": "diagnostics"], at: address)
    guard answer["device"]?.object != nil else {
      throw ServiceError("\(address) answered \(answer.text().prefix(200))")
    }
    return answer
  }
}
