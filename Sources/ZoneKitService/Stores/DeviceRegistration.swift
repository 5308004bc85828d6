import ZoneKitCloud
import ZoneKitDeviceHost
import ZoneKitRecords
import ZoneKitStorage
import ZoneKitSync
import ZoneKitWire

/// The registration of a device at the push service, as the device knows it.
package struct DeviceRegistration {
  private let data: DataDirectory
  private let request: AdministrationRequest

  /// The registration of a device's store. Nil if it has none, or if the store cannot be read.
  package init?(ofDevice name: String, in data: DataDirectory, apps: [DeviceApp]) {
    guard let values = try? data.values(ofDevice: name), let token = values[.pushToken]?.text,
      let user = values[.account]?.text, let folder = try? data.device(name),
      let owner = try? DeviceFile.readOnly(folder: folder).owner(unmarkedApp: apps.first?.name ?? "")?.app,
      let app = apps.flatMap(\.variants).first(where: { $0.storeName == owner }), data.hasCloud
    else { return nil }
    let environment = values[.pushEnvironment]?.text.flatMap { Environment(rawValue: $0) } ?? .development
    self.data = data
    request = AdministrationRequest(
      .endPushToken(token), in: app.database(of: Name(user), in: environment),
      from: Caller(user: Name(user), deviceID: values[.deviceID]?.text))
  }

  /// Makes the push service forget the token: with a request to the running server, else in its files. A token that it does
  /// not know is no failure.
  package func end() throws(StoresError) {
    if let server = RunningServer.control(in: data) {
      do throws(StoresError) {
        _ = try ServerControl.ask(server, "POST", "/zonekit/administration", request.json)
      } catch  where error.description.contains("no push token") {
        return
      }
      return
    }
    try HeldFolders.holding([data.cloud]) { () throws(StoresError) in
      try StoresError.from { () throws(StoreError) in
        var zones = ZoneServer(store: try CloudFiles(root: data.cloud))
        defer { zones.store.close() }
        var generator = SystemGenerator()
        zones.administer(
          request.operation, ticket: Ticket(1), in: request.database, from: request.caller, at: SystemClock.wall,
          using: &generator)
        _ = zones.endTurn(using: &generator)
      }
    }
  }
}
