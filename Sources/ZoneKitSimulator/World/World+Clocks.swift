import ZoneKitRecords

/// The clocks of devices.
extension World {
  /// Sets the offset of the device's wall clock from the true time, in milliseconds.
  package mutating func setClock(_ device: Int, offset: Int64) {
    devices[device].clock.set(offset: offset, at: now)
    log(.clockSet, of: device)
    note(.device(device), .clock, "\(offset) ms ahead")
  }

  /// Sets the drift of the device's wall clock, in parts per million.
  package mutating func setDrift(_ device: Int, _ drift: Int64) {
    devices[device].clock.set(drift: drift, at: now)
    note(.device(device), .clock, "\(drift) ppm fast")
  }

  /// Moves the device to a time zone.
  package mutating func setTimeZone(_ device: Int, _ zone: TimeZoneRules) {
    devices[device].timeZone = zone
    note(.device(device), .clock, "in \(zone)")
  }
}
