import ZoneKitRecords

extension DeviceApp {
  /// The record that a scenario names. `TABLE.KEY` is a row of a user's own table; any other name is one in the app's first
  /// zone.
  package func recordID(named name: String) -> RecordID {
    if zones.count > 1, let dot = name.utf8.firstIndex(of: UInt8(ascii: ".")) {
      let zone = zones.first { $0.zoneName.text.utf8.elementsEqual(name[..<dot].utf8) }
      if let zone { return RecordID(recordName: Name(String(name[name.index(after: dot)...])), zoneID: zone) }
    }
    return RecordID(recordName: Name(name), zoneID: zones[0])
  }
}
