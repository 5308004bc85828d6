import Records
import Service

/// A device of the stage: a process while it runs, what it has said so far, and all that lies between it and the server.
final class RealDevice {
  /// The device's name.
  let name: String
  /// What lies between it and the server.
  let link: DeviceLink
  /// The process; nil while the device does not run.
  var process: RealProcess?
  /// All that it has said, by all its processes, oldest first.
  private(set) var events: [JSON] = []
  /// The account that it starts with; nil where nobody is signed in.
  var account: String?
  /// Whether it knows that it has no network.
  var isOffline = false
  /// How wrong its clock is.
  var clock = RealClock()
  /// The records that its last command changed.
  var lastRecords: [String] = []

  /// A device that does not run yet.
  init(_ name: String, account: String?, link: DeviceLink) {
    self.name = name
    self.account = account
    self.link = link
  }

  /// Whether a process runs it.
  var isRunning: Bool { process.map { !$0.hasEnded } ?? false }

  /// How much it has said: a place to look from.
  var mark: Int { events.count }

  /// Takes in what it says.
  func hear(_ event: JSON) { events.append(event) }

  /// The events of that name from a mark on.
  func events(_ name: String, since mark: Int = 0) -> [JSON] {
    events[mark...].filter { $0["event"]?.string == name }
  }

  /// How many pushes were received from a mark on, duplicates included.
  func pushes(since mark: Int = 0) -> Int { events("push", since: mark).count }

  /// How many syncs were started from a mark on.
  func fetches(since mark: Int = 0) -> Int { events("syncStarted", since: mark).count }
}
