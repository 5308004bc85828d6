/// A step about the links of devices.
package enum LinkStep: Hashable, Sendable {
  /// `A goes offline`, and the device knows it.
  case offline(DeviceChoice)
  /// `A comes online`.
  case online(DeviceChoice)
  /// `cut the link from A to the cloud`: nothing gets through, and no side notices.
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
  /// `set the link of A, up delay 5ms to 2s lose 30% reorder, down cut, push clog, told of 50%`: what each way of it does,
  /// all at once, and how many of a hundred losses the device notices. What is not named works.
  case set(DeviceChoice, Link)
  /// `heal everything`: all links, and all faults of pushes, cloud and disks.
  case healEverything
  /// `recover everything`: that, crashes to come and the cloud's disk too; and everybody is online, signed in as at the
  /// beginning and running. `and restart every device`, where each process is to start anew.
  case recover(restarting: Bool)

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
    case .set(let devices, let link): "set the link of \(devices.text)\(link.sentence)"
    case .healEverything: "heal everything"
    case .recover(let restarting): "recover everything\(restarting ? " and restart every device" : "")"
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
