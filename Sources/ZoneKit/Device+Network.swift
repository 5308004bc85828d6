import ZoneKitRecords
import ZoneKitSimulator

/// What is between a device and its cloud.
extension Device {
  /// Whether the device has a link, as far as it knows.
  public var isOnline: Bool { state.isOnline }

  /// The device loses its link, and knows.
  public func goOffline() { world.simulation.setOnline(number, false) }

  /// The device gets a link.
  public func goOnline() { world.simulation.setOnline(number, true) }

  /// What the link does to what goes over it; the device does not know.
  public var link: Link {
    get { Link(world.simulation.links[number]) }
    nonmutating set { world.simulation.setLink(number, newValue.simulated) }
  }

  // MARK: Pushes

  /// Something happens to the next pushes on their way to the device, or to all from now on where no number is given.
  /// What was asked for before comes first.
  public func disturbPushes(_ fault: PushFault, next count: Int? = 1) {
    world.simulation.pushFaults[number].rules.append(PushFaults.Rule(fault.simulated, count: count))
  }

  /// Nothing happens to pushes any more.
  public func stopDisturbingPushes() { world.simulation.pushFaults[number].rules = [] }

  /// The last push comes once more.
  public func replayPush() {
    if let push = world.simulation.pushFaults[number].last { world.simulation.deliver(push, to: number) }
  }
}
