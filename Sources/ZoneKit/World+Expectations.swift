import ZoneKitRecords
import ZoneKitSimulator

extension World {
  /// Lets time pass until the devices and the cloud hold the same records, nothing is under way, and nothing waits that
  /// could be sent.
  ///
  /// - Parameters:
  ///   - devices: Who has to agree with the cloud; all unless named.
  ///   - limit: How long that may take at most; time stands still as soon as it is so.
  /// - Throws: Which record differs first, on which device, and what kept that device.
  public func expectConvergence(of devices: [Device]? = nil, within limit: Duration = .minutes(1))
    throws(ExpectationFailure)
  {
    let devices = devices ?? self.devices
    let end = simulation.now.advanced(byMilliseconds: limit.milliseconds)
    // Looked at ever more rarely: most worlds agree within seconds, some wait for an hour.
    var step: Int64 = 100
    while true {
      if devices.allSatisfy(\.isAtRest), difference(among: devices) == nil { return }
      guard simulation.now < end else { break }
      simulation.run(until: min(end, simulation.now.advanced(byMilliseconds: step)))
      step = min(step * 5 / 4, 60_000)
    }
    throw failure(Diagnosis(self, devices).lines(after: limit))
  }

  /// Every edit of a user is in the final state, was replaced by an edit that had seen it, or lost by a recorded decision
  /// or refusal; and what was deleted stays deleted. Call it after the world has converged.
  public func expectNoLostEdits() throws(ExpectationFailure) {
    precondition(cloud.isRunning, "a cloud that does not run cannot be asked: start it first")
    try expectNoViolation { $0.checkEdits() }
  }

  /// Waits until all that is under way has ended, a minute at most. Then ten minutes must pass without a request or a
  /// write.
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

  /// The first record that one of the devices shows otherwise than the cloud does.
  func difference(among devices: [Device]) -> Difference? {
    var zones: [Name: [CloudReading.Zone]] = [:]
    for device in devices {
      guard let account = device.account else { continue }
      let compared = simulation.comparedZones
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
  /// Whether nothing is under way on it and nothing waits that could be sent.
  var isAtRest: Bool {
    guard isRunning, state.coordinator.isIdle, let census = try? state.store.census() else { return false }
    return census.pending == census.quarantined
  }
}
