import ZoneKitRecords
import ZoneKitScenarios
import ZoneKitSimulator

/// The link between a device and its cloud, and pushes to the device.
extension Device {
  /// Whether the device has a network, as far as it knows.
  public var isOnline: Bool { state.isOnline }

  /// Takes the network away. The device notices it.
  public func goOffline() { world.simulation.setOnline(number, false) }

  /// Restores the network. The device notices it.
  public func goOnline() { world.simulation.setOnline(number, true) }

  /// The conditions of the link. The device does not know them.
  public var link: Link {
    get { Link(world.simulation.links[number]) }
    nonmutating set { world.simulation.setLink(number, newValue.simulated) }
  }

  // MARK: Pushes

  /// Adds a fault for the next pushes to the device; for all further ones if `count` is nil. Faults are used up in the
  /// order in which they were added.
  public func disturbPushes(_ fault: PushFault, next count: Int? = 1) {
    world.simulation.pushFaults[number].add(fault.simulated, count.map(FaultCount.next) ?? .every)
  }

  /// Removes all faults of pushes.
  public func stopDisturbingPushes() { world.simulation.pushFaults[number].removeAll() }

  /// Delivers the last push once more.
  public func replayPush() {
    if let push = world.simulation.pushFaults[number].last { world.simulation.deliver(push, to: number) }
  }
}
