import ZoneKitRecords
import ZoneKitSimulator

extension World {
  /// Lets time pass until the devices and the cloud have the same records, no request is in progress, and no change
  /// waits that could be sent.
  ///
  /// - Parameters:
  ///   - devices: The devices that have to agree with the cloud; all by default.
  ///   - limit: The longest time in which this must happen. Time stops as soon as it does.
  /// - Throws: An error with the first record that differs, the device and the cause.
  public func expectConvergence(of devices: [Device]? = nil, within limit: Duration = .minutes(1))
    throws(ExpectationFailure)
  {
    let devices = devices ?? self.devices
    let end = simulation.now.advanced(byMilliseconds: limit.milliseconds)
    // Checked at growing intervals: most simulations agree within seconds, some wait for an hour.
    var step: Int64 = 100
    while true {
      if devices.allSatisfy(\.isAtRest), difference(among: devices) == nil { return }
      guard simulation.now < end else { break }
      simulation.run(until: min(end, simulation.now.advanced(byMilliseconds: step)))
      step = min(step * 5 / 4, 60_000)
    }
    throw failure(Diagnosis(self, devices).lines(after: limit))
  }

  /// Checks that every edit of a user is in the final state, was replaced by an edit that had seen it, or lost by a
  /// recorded decision or refusal; and that deleted records stay deleted. Call it after `expectConvergence`.
  public func expectNoLostEdits() throws(ExpectationFailure) {
    precondition(cloud.isRunning, "a cloud that does not run cannot be asked: start it first")
    try expectNoViolation { $0.checkEdits() }
  }

  /// Waits at most a minute until no request is in progress. Then checks that there is no request and no write for ten
  /// minutes.
  public func expectRest() throws(ExpectationFailure) {
    wait(.seconds(30))
    try expectNoViolation { $0.expectRest() }
  }

  private func expectNoViolation(_ check: (inout ZoneKitSimulator.World) -> Void) throws(ExpectationFailure) {
    let before = simulation.checkers.violations.count
    check(&simulation)
    let new = simulation.checkers.violations.dropFirst(before)
    if !new.isEmpty { throw failure(new.map(\.description)) }
  }

  private func failure(_ lines: [String]) -> ExpectationFailure {
    let place = "seed \(seed), after \(elapsed), digest \(digest)"
    return ExpectationFailure(description: (lines + [place]).joined(separator: "\n"))
  }

  /// The first record that differs between one of the devices and the cloud.
  func difference(among devices: [Device]) -> Difference? {
    var zones: [Name: [CloudReading.Zone]] = [:]
    for device in devices {
      guard let account = device.account else { continue }
      let compared = simulation.devices[device.number].app.comparedZones
      let held = zones[account] ?? compared.map { CloudReading(simulation, account: account).zone($0) }
      zones[account] = held
      for (zoneID, zone) in zip(compared, held) {
        let own = simulation.picture(of: device.number, zones: [zoneID])
        guard own != zone.contents else { continue }
        let ids = Set(own.keys).union(zone.contents.keys).filter { own[$0] != zone.contents[$0] }
        if let id = ids.min() {
          return Difference(device: device, id: id, own: own[id], cloud: zone[id], count: ids.count)
        }
      }
    }
    return nil
  }
}

extension Device {
  /// Whether the device has no request in progress and no change waits that could be sent.
  var isAtRest: Bool {
    guard isRunning, state.coordinator.isIdle, let census = try? state.store.census() else { return false }
    return census.pending == census.quarantined
  }
}
