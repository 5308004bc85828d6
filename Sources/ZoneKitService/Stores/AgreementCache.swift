import ZoneKitDeviceHost
import ZoneKitRecords
import ZoneKitStorage
import ZoneKitSync

/// What a comparison of devices with their cloud need not read again: the devices that agreed, while neither their files nor the
/// cloud's zones have changed, and the newest changes of those zones.
package struct AgreementCache: Sendable {
  private struct Device {
    let stamps: [FileStamp?]
    let cloud: JSON
    let standing: DeviceStanding
  }

  private var devices: [String: Device] = [:]
  private var apps: (owners: [StoreOwner], apps: [DeviceApp])?
  private var changes: [String: (cloud: JSON, newest: [NewChange])] = [:]

  /// A cache that knows nothing.
  package init() {}

  /// The apps of stores that those apps made. `make` reads the files that describe the apps' data, if the owners are others than
  /// those before.
  mutating func apps(of owners: [StoreOwner], _ make: ([StoreOwner]) -> [DeviceApp]) -> [DeviceApp] {
    if let apps, apps.owners == owners { return apps.apps }
    let made = make(owners)
    apps = (owners, made)
    return made
  }

  /// The standing of a device that agreed, with files of those stamps and a cloud in that state; nil if it has to be compared.
  func standing(of device: String, _ stamps: [FileStamp?], _ cloud: JSON?) -> DeviceStanding? {
    guard let known = devices[device], known.stamps == stamps, known.cloud == cloud else { return nil }
    return known.standing
  }

  /// A device was compared. What keeps one behind can change without its files, so only those that agree are noted.
  mutating func note(_ standing: DeviceStanding, _ stamps: [FileStamp?], _ cloud: JSON?) {
    guard standing.level == .same, let cloud else {
      devices[standing.device] = nil
      return
    }
    devices[standing.device] = Device(stamps: stamps, cloud: cloud, standing: standing)
  }

  /// The newest changes of the zones of a group with a cloud in that state; nil if they have to be read.
  func newest(of group: String, _ cloud: JSON?) -> [NewChange]? {
    guard let cloud, let known = changes[group], known.cloud == cloud else { return nil }
    return known.newest
  }

  /// The newest changes of the zones of a group were read.
  mutating func note(_ newest: [NewChange], of group: String, _ cloud: JSON?) {
    changes[group] = cloud.map { ($0, newest) }
  }
}
