import ZoneKitRecords
import ZoneKitTimeline

/// Finds the moment from which records differ until the end of a play.
///
/// The records are known only at the end, so a failed play is played once more with a watch.
package struct AgreementWatch: Sendable {
  /// The records that differ at the end.
  let records: [RecordID]
  /// The names of the devices that are compared with each other; nil for all devices and their clouds.
  let devices: [String]?
  private var since: [RecordID: MonotonicTime] = [:]

  init(of records: [RecordID], on devices: [String]?) {
    self.records = records
    self.devices = devices
  }

  /// A record differs at that time, or does not.
  mutating func looked(at id: RecordID, differs: Bool, at now: MonotonicTime) {
    if !differs { since[id] = nil } else if since[id] == nil { since[id] = now }
  }

  /// The moment from which the first of the records differ, with their names.
  var divergence: Trace.Divergence? {
    guard let first = since.values.min() else { return nil }
    return Trace.Divergence(at: first, records: since.filter { $0.value == first }.map(\.key.recordName.text).sorted())
  }
}

extension World {
  /// Compares the watched records.
  mutating func watchAgreement() {
    guard var watch = agreementWatch else { return }
    for id in watch.records { watch.looked(at: id, differs: differs(id, on: watch.devices), at: now) }
    agreementWatch = watch
  }

  private func differs(_ id: RecordID, on names: [String]?) -> Bool {
    if let names {
      let contents = devices.filter { names.contains($0.name) }.map { $0.local(id)?.local }
      return !contents.allSatisfy { $0 == contents[0] }
    }
    return devices.contains { device in
      guard let account = device.account, device.app.comparedZones.contains(id.zoneID) else { return false }
      let own = device.local(id)
      let cloud = cloudRecord(id, of: account).map { seen($0, in: id.zoneID, of: account).1 }
      return own?.quarantine == nil && own?.local != cloud
    }
  }
}
