import ZoneKitEventLoop

/// Tells a service manager how a server is: that it is ready, that its loop still turns, and that it ends.
struct ServiceManagerReports {
  private let socket: NotifySocket
  private let beat: Beat

  /// The watchdog's timer, which sets itself again.
  private final class Beat {
    private let socket: NotifySocket
    private var timer: Timer?

    init(_ socket: NotifySocket, on loop: Loop) {
      self.socket = socket
      guard socket.watchdog != nil else { return }
      timer = Timer(on: loop, isPermanent: true) { [weak self] in self?.start() }
    }

    /// Reports life now, and twice within each time of the watchdog from now on (systemd: sd_watchdog_enabled(3)).
    func start() {
      guard let timer, let time = socket.watchdog else { return }
      socket.send("WATCHDOG=1")
      timer.schedule(after: time / 2)
    }
  }

  /// The reports of a server on that loop; nil if no manager listens.
  init?(on loop: Loop) {
    guard let socket = NotifySocket() else { return nil }
    self.socket = socket
    beat = Beat(socket, on: loop)
  }

  /// The server listens at that address.
  func ready(at address: Address) {
    socket.send("READY=1\nSTATUS=serving requests at \(address)")
    beat.start()
  }

  /// The server ends.
  func stopping() { socket.send("STOPPING=1") }
}
