import ZoneKitDeviceHost
import ZoneKitRecords
import ZoneKitStorage

/// The devices of a data directory during one look at them. The file of each is opened once.
final class OpenedDevices {
  /// The data directory.
  let data: DataDirectory
  private var known: [String: Result<DeviceReading, StoreError>] = [:]

  /// The devices of a data directory, none of which is opened yet.
  init(in data: DataDirectory) { self.data = data }

  /// The device of that name. Throws if its file cannot be read.
  func reading(_ name: String) throws(StoreError) -> DeviceReading {
    if let known = known[name] { return try known.get() }
    let result: Result<DeviceReading, StoreError>
    do throws(StoreError) {
      result = .success(try DeviceReading(try data.device(name), name: name))
    } catch {
      result = .failure(error)
    }
    known[name] = result
    return try result.get()
  }

  /// The devices whose files can be read, in the order of their names.
  var all: [DeviceReading] { ((try? data.deviceNames()) ?? []).compactMap { try? reading($0) } }

  /// The apps that made the stores of those devices. Used stores that name none belong to `unmarkedApp`.
  func owners(unmarkedApp: String) -> [StoreOwner] { all.compactMap { $0.owner(unmarkedApp: unmarkedApp) } }

  /// The devices that those apps have made, in the order of their names. The first app is that of stores that name none.
  func made(by apps: [DeviceApp]) -> [(DeviceReading, DeviceApp)] {
    let variants = apps.flatMap(\.variants)
    return all.compactMap { reading in
      guard let owner = reading.owner(unmarkedApp: apps.first?.name ?? ""),
        let app = variants.first(where: { $0.storeName == owner.app })
      else { return nil }
      return (reading, app)
    }
  }
}
