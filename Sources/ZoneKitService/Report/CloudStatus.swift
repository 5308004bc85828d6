import ZoneKitEventLoop
import ZoneKitRecords

/// Gets the cloud's part of the diagnostics dump from a running server.
package enum CloudStatus {
  /// The answer to `/zonekit/status` at that address, asked with the server's key if it has one. Throws if there is none
  /// in time or if it is not JSON.
  package static func fetch(from address: Address, key: String? = nil) throws(ServiceError) -> JSON {
    try ServerControl.send("GET", "/zonekit/status", to: address, key: key).body
  }
}
