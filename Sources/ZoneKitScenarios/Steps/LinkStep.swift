/// A step that acts on the links of devices.
package enum LinkStep: Hashable, Sendable {
  /// `A goes offline`: the device notices that it has no network.
  case offline(DeviceChoice)
  /// `A comes online`.
  case online(DeviceChoice)
  /// `cut the link from A to the cloud`: all messages are lost, and neither side notices.
  case cut(ScenarioLink)
  /// `slow the link of A to 2s`: each message takes that long.
  case slow(ScenarioLink, TimeSpan)
  /// `lose 30% on the link of A`.
  case lose(Int, ScenarioLink)
  /// `repeat 30% on the link of A`: that percentage of messages arrives twice.
  case duplicate(Int, ScenarioLink)
  /// `reorder the link of A`.
  case reorder(ScenarioLink)
  /// `clog the link of A`: all messages wait until the link is healed.
  case clog(ScenarioLink)
  /// `heal the link of A`.
  case heal(ScenarioLink)
  /// `set the link of A, up delay 5ms to 2s lose 30% reorder, down cut, push clog, told of 50%`: the conditions of all
  /// directions, and the percentage of losses that the device notices. Conditions that are not named get their
  /// defaults.
  case set(DeviceChoice, Link)
  /// `heal everything`: all links, and all faults of pushes, cloud and disks.
  case healEverything
  /// `recover everything`: as `heal everything`, and no kill is pending, the cloud's disk has room, and all devices are
  /// online, running and signed in as at the start. With `and restart every device` each process is restarted.
  case recover(restarting: Bool)

  /// The values of its sentence by the labels of the slots.
  var values: SlotValues {
    switch self {
    case .offline(let devices), .online(let devices): ["devices": .devices(devices)]
    case .cut(let link), .reorder(let link), .clog(let link), .heal(let link): ["devices": .devices(link.devices)]
    case .slow(let link, let span): ["devices": .devices(link.devices), "span": .span(span)]
    case .lose(let percent, let link), .duplicate(let percent, let link):
      ["percent": .number(percent), "devices": .devices(link.devices)]
    case .set(let devices, let link): ["devices": .devices(devices)] + link.values
    case .healEverything: [:]
    case .recover(let restarting): ["way": .flag(restarting)]
    }
  }
}

/// A device's link, or one direction of it.
package enum ScenarioLink: Hashable, Sendable {
  /// `the link of A`: requests, answers and pushes.
  case both(DeviceChoice)
  /// `the link from A to the cloud`: requests.
  case toCloud(DeviceChoice)
  /// `the link from the cloud to A`: answers.
  case fromCloud(DeviceChoice)
  /// `the push link of A`.
  case push(DeviceChoice)

  /// The devices with that link.
  package var devices: DeviceChoice {
    switch self {
    case .both(let devices), .toCloud(let devices), .fromCloud(let devices), .push(let devices): devices
    }
  }
}
