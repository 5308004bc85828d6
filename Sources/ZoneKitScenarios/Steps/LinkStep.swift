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

  /// The line from which the parser makes this step.
  package var text: String {
    switch self {
    case .offline(let devices): "\(devices.text) \(devices.isSeveral ? "go" : "goes") offline"
    case .online(let devices): "\(devices.text) \(devices.isSeveral ? "come" : "comes") online"
    case .cut(let link): "cut \(link.text)"
    case .slow(let link, let span): "slow \(link.text) to \(span.text)"
    case .lose(let percent, let link): "lose \(percent)% on \(link.text)"
    case .duplicate(let percent, let link): "repeat \(percent)% on \(link.text)"
    case .reorder(let link): "reorder \(link.text)"
    case .clog(let link): "clog \(link.text)"
    case .heal(let link): "heal \(link.text)"
    case .set(let devices, let link): "set the link of \(devices.text)\(link.sentence)"
    case .healEverything: "heal everything"
    case .recover(let restarting): "recover everything\(restarting ? " and restart every device" : "")"
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

  /// The text from which the parser makes this value.
  package var text: String {
    switch self {
    case .both(let devices): "the link of \(devices.text)"
    case .toCloud(let devices): "the link from \(devices.text) to the cloud"
    case .fromCloud(let devices): "the link from the cloud to \(devices.text)"
    case .push(let devices): "the push link of \(devices.text)"
    }
  }
}

extension DeviceChoice {
  /// Whether a verb for it is in the plural.
  var isSeveral: Bool {
    switch self {
    case .every: false
    case .named(let names): names.count > 1
    }
  }
}
