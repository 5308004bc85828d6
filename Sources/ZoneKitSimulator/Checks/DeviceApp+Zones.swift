import ZoneKitDeviceHost
import ZoneKitRecords

extension DeviceApp {
  /// The zones in which the devices and the cloud have to agree: those of the app, and the one in which devices report
  /// conflicts. A server-arbitrated cloud makes no push for its log of conflicts, so devices have it after their next
  /// fetch.
  package var comparedZones: [ZoneID] {
    guard configuration.traits.arbiter == .device, let journal = configuration.traits.journalZone else { return zones }
    return zones + [journal]
  }
}
