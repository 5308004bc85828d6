import ZoneKitDeviceHost
import ZoneKitEventLoop
import ZoneKitRecords
import ZoneKitStorage
import ZoneKitSync
import ZoneKitCloud

/// The diagnostics dump of a data directory, with running and stopped processes. A part that cannot be read is replaced
/// by an error; the other parts are complete.
package struct DiagnosticsDump {
  /// `generatedAt`, `zonekit`, `devices`, `cloud` and `traces`, the newest trace first.
  package let document: JSON
  /// Whether a part could not be read.
  package private(set) var hasErrors = false

  /// Reads the dump of all devices or of one. `apps` are those whose stopped devices are described in their own way.
  /// Throws an input error that lists the known devices if
  /// there is none of that name.
  package init(
    of data: DataDirectory, device wanted: String? = nil, apps: [DeviceApp] = [], version: String, at now: WallTime
  ) throws(StoresError) {
    try self.init(of: OpenedDevices(in: data), device: wanted, apps: apps, version: version, cloud: nil, at: now)
  }

  /// The same of devices that are opened already. `status` is the cloud's part if the server has said it already.
  init(
    of opened: OpenedDevices, device wanted: String? = nil, apps: [DeviceApp], version: String, cloud status: JSON?,
    at now: WallTime
  ) throws(StoresError) {
    let data = opened.data
    let names = try Self.names(in: data, wanted: wanted)
    var devices: [JSON] = []
    var traces: [JSON] = []
    for name in names {
      do {
        let part = try Self.device(name, among: opened, apps: apps, at: now)
        devices.append(part["device"] ?? .null)
        traces += part["traces"]?.array ?? []
      } catch {
        hasErrors = true
        devices.append(["name": .string(name), "error": .string("\(error)")])
      }
    }
    let cloud = Self.namingRegistrations(in: status.map(Self.running) ?? Self.cloud(of: data, apps: apps), opened)
    if let error = cloud["error"], !error.isNull { hasErrors = true }
    if let errors = cloud["errors"]?.array, !errors.isEmpty { hasErrors = true }
    document = [
      "generatedAt": .string(now.iso8601), "zonekit": .string(version), "devices": .array(devices), "cloud": cloud,
      "traces": .array(Self.newestFirst(traces)),
    ]
  }

  private static func names(in data: DataDirectory, wanted: String?) throws(StoresError) -> [String] {
    let names = try StoresError.from { () throws(StoreError) in try DeviceFile.names(in: data.devices).map(\.text) }
    guard let wanted else { return names }
    guard names.contains(wanted) else {
      let those = names.isEmpty ? "there are none" : "there are \(names.joined(separator: ", "))"
      throw .input("there is no device \(wanted) in \(data.devices); \(those)")
    }
    return [wanted]
  }

  /// Sorts traces by time. Times in the same ISO 8601 form sort by their bytes.
  private static func newestFirst(_ traces: [JSON]) -> [JSON] {
    let stamped = traces.enumerated().map { (at: $1["mergedAt"]?.string ?? "", index: $0, trace: $1) }
    return stamped.sorted { $0.at == $1.at ? $0.index < $1.index : $0.at > $1.at }.map(\.trace)
  }

  // MARK: Devices

  /// An object of `device` and `traces`: from the device's process if it runs, otherwise from its file.
  private static func device(
    _ name: String, among opened: OpenedDevices, apps: [DeviceApp], at now: WallTime
  ) throws(StoreError) -> JSON {
    let folder = try opened.data.device(name)
    var silence: ServiceError?
    if let address = try address("control", of: folder) {
      do {
        return try DeviceStatus.fetch(from: address)
      } catch {
        silence = error
      }
    }
    let store = try opened.reading(name).store
    // A process that does not answer runs nevertheless.
    let diagnostics = try DeviceDiagnostics(
      of: store, name: name, state: silence.map { _ in .offline }, at: now)
    let owner = try store.app()
    var report = DeviceReport.device(diagnostics)
    let app = apps.flatMap(\.variants).first { $0.storeName == owner }
    if let app, let sight = try TableSight(of: store, in: folder, app: app, account: diagnostics.user, at: now) {
      report = try TableReport.device(diagnostics, sight, store: store, at: now)
    } else if let app, app.wire == .rest {
      report = try DocumentReport.device(diagnostics, store: store)
    }
    var members = report.object ?? []
    if let silence { members.append(JSON.Member("unanswered", .string("\(silence)"))) }
    return ["device": .object(members), "traces": .array(DeviceReport.traces(diagnostics))]
  }

  /// The address that the owner of a folder wrote to its lock file; nil if there is no owner or no address.
  private static func address(_ key: String, of folder: String) throws(StoreError) -> Address? {
    guard let text = try note(key, of: folder) else { return nil }
    do {
      return try Address(parsing: text)
    } catch {
      throw unreadable("an address under \(key): \(error)", of: folder)
    }
  }

  /// The text that the owner of a folder wrote to its lock file under that name; nil if there is no owner or no text.
  private static func note(_ key: String, of folder: String) throws(StoreError) -> String? {
    guard let note = try DirectoryLock.owner(of: folder), !note.isEmpty else { return nil }
    do {
      return try JSON(parsing: note)[key]?.string
    } catch {
      throw unreadable("\(error)", of: folder)
    }
  }

  private static func unreadable(_ what: String, of folder: String) -> StoreError {
    StoreError(.corrupt, "expected a line of JSON with \(what)", place: "\(folder)/\(DirectoryLock.fileName)")
  }

  // MARK: The cloud

  /// The cloud's part of the dump: from a running server or from files.
  private static func cloud(of data: DataDirectory, apps: [DeviceApp]) -> JSON {
    var trouble: String?
    do {
      if let address = try address("http", of: data.cloud) {
        return try runningCloud(at: address, key: try note(RunningServer.keyName, of: data.cloud))
      }
    } catch {
      trouble = "\(error)"
    }
    var members: [JSON.Member]
    do {
      let names = AccountNames(in: data, of: apps.flatMap(\.variants))
      members =
        CloudReport.members(try statuses(of: data), email: names.email(of:)) + (try CloudReport.tables(in: data))
    } catch {
      return ["name": "cloud", "error": .string([trouble, "\(error)"].compactMap { $0 }.joined(separator: "; "))]
    }
    // The counters belong to the gateway of a running server. It has taken them with it.
    members.append(JSON.Member("pushes", StatusReport.unknownPushes))
    // A server that does not answer runs nevertheless.
    members.append(JSON.Member("running", .bool(trouble != nil)))
    if let trouble { members.append(JSON.Member("error", .string(trouble))) }
    return .object(members)
  }

  /// The cloud's part with the devices of the data directory in its registrations: `name`, and `replaced` where the device
  /// has another token by now. Both are null for clients that are no devices of it.
  private static func namingRegistrations(in cloud: JSON, _ opened: OpenedDevices) -> JSON {
    var names: [String: (name: String, token: String?)] = [:]
    // A store that cannot be read is an error in the device's own part.
    for device in opened.all {
      guard let id = device.values[.deviceID]?.text else { continue }
      names[id] = (device.name, device.values[.pushToken]?.text.map(PushRegistration.shortened))
    }
    let registrations = (cloud["registrations"]?.array ?? []).map { registration -> JSON in
      let device = registration["device"]?.string.flatMap { names[$0] }
      return .object(
        (registration.object ?? []) + [
          JSON.Member("name", device.map { .string($0.name) } ?? .null),
          JSON.Member("replaced", device.map { .bool($0.token != registration["token"]?.string) } ?? .null),
        ])
    }
    return .object(
      (cloud.object ?? []).map { $0.key == "registrations" ? JSON.Member($0.key, .array(registrations)) : $0 })
  }

  private static func runningCloud(at address: Address, key: String?) throws(ServiceError) -> JSON {
    guard let cloud = try CloudStatus.fetch(from: address, key: key)["cloud"] else {
      throw ServiceError("\(address) answered with a status that has no cloud in it")
    }
    return running(cloud)
  }

  /// The cloud's part as a running server says it.
  private static func running(_ cloud: JSON) -> JSON { .object((cloud.object ?? []) + [JSON.Member("running", true)]) }

  private static func statuses(of data: DataDirectory) throws(StoreError) -> [DatabaseStatus] {
    let store = CloudFiles.readOnly(root: data.cloud)
    let databases = try store.databases()
    let server = ZoneServer(store: store)
    return databases.map { server.status(of: $0) }
  }
}
