/// What becomes of a device's link.
package enum LinkStep: Hashable, Sendable {
  /// `A goes offline`, and the device knows it.
  case offline(DeviceChoice)
  /// `A comes online`.
  case online(DeviceChoice)
  /// `cut the link from A to the cloud`: nothing gets through and nobody is told.
  case cut(ScenarioLink)
  /// `slow the link of A to 2s`: anything takes that long.
  case slow(ScenarioLink, TimeSpan)
  /// `lose 30% on the link of A`.
  case lose(Int, ScenarioLink)
  /// `repeat 30% on the link of A`: that share arrives twice.
  case duplicate(Int, ScenarioLink)
  /// `reorder the link of A`.
  case reorder(ScenarioLink)
  /// `clog the link of A`: everything waits until it is healed.
  case clog(ScenarioLink)
  /// `heal the link of A`.
  case heal(ScenarioLink)
  /// `heal everything`: all links, and all faults of pushes, cloud and disks.
  case healEverything

  /// The line that reads as this.
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
    case .healEverything: "heal everything"
    }
  }
}

/// A device's link, or one way of it.
package enum ScenarioLink: Hashable, Sendable {
  /// `the link of A`: requests, answers and pushes.
  case both(DeviceChoice)
  /// `the link from A to the cloud`: requests.
  case toCloud(DeviceChoice)
  /// `the link from the cloud to A`: answers.
  case fromCloud(DeviceChoice)
  /// `the push link of A`.
  case push(DeviceChoice)

  /// The words that read as this.
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
  /// Whether a verb for it stands in the plural.
  var isSeveral: Bool {
    switch self {
    case .every: false
    case .named(let names): names.count > 1
    }
  }
}
