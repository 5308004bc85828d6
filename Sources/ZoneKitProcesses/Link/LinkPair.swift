import ZoneKitEventLoop

/// One connection over a link: the device's socket, the server's socket, and a lane for each direction.
final class LinkPair {
  /// The number of bytes that may wait for one side before the other side is no longer read.
  static let limit = 256 * 1024

  /// Called once, when both sockets are closed.
  var onClose: (() -> Void)?

  private let link: LinkProxy
  private let device: Connection
  private let server: Connection
  private var toServer: LinkLane
  private var toDevice: LinkLane
  private var listener = LinkListener()
  /// The link whose state applies to what the server sends over the WebSocket; nil if the connection is none.
  private var channel: LinkProxy?
  private var open: Set<LinkDirection> = [.toServer, .toDevice]
  private lazy var timer = Timer(on: device.loop) { [unowned self] in self.pump() }

  /// Joins a connection from the device to a new connection to the server.
  init(_ device: Connection, to server: Connection, over link: LinkProxy) {
    self.link = link
    self.device = device
    self.server = server
    // Only what the push gateway sends is split into lines. The hello of the device is not.
    toServer = LinkLane(framing: .bytes)
    toDevice = LinkLane(framing: link.framing)
    for way in LinkDirection.allCases {
      source(of: way).onRead = { [unowned self] in self.received($0, way) }
      source(of: way).onClose = { [self] _ in self.closed(way) }
      destination(of: way).onDrained = { [unowned self] in self.pump() }
      if link.isHeld { source(of: way).pauseReading() }
    }
  }

  /// Closes both sockets. Data that waits is lost.
  func close() {
    device.close()
    server.close()
  }

  /// Applies a change of the link's state.
  func stateChanged() {
    let isHealed = LinkDirection.allCases.contains { self[$0].isBroken && !link(of: $0).state[$0].isCut }
    // A stream that lacks a part cannot continue: its receiver would misread what follows.
    if isHealed { close() }
    pump()
  }

  private subscript(way: LinkDirection) -> LinkLane {
    get { way == .toServer ? toServer : toDevice }
    set {
      switch way {
      case .toServer: toServer = newValue
      case .toDevice: toDevice = newValue
      }
    }
  }

  private func link(of way: LinkDirection) -> LinkProxy { way == .toDevice ? channel ?? link : link }

  private func source(of way: LinkDirection) -> Connection { way == .toServer ? device : server }

  private func destination(of way: LinkDirection) -> Connection { way == .toServer ? server : device }

  private func received(_ bytes: UnsafeRawBufferPointer, _ way: LinkDirection) {
    let carriesRequests = link.framing == .bytes && channel == nil
    if way == .toDevice, carriesRequests, link.losesAnswer() { return close() }
    guard !carriesRequests || letsPass(bytes, way) else { return close() }
    link(of: way).receive(bytes, into: &self[way], way)
    pump()
  }

  /// Whether these bytes of requests or answers are forwarded. The link's `onMessage` decides.
  private func letsPass(_ bytes: UnsafeRawBufferPointer, _ way: LinkDirection) -> Bool {
    let messages = listener.receive(bytes.bindMemory(to: UInt8.self).span, way)
    if messages.contains(where: \.opensWebSocket) {
      channel = link.opened(self)
      toDevice = LinkLane(framing: .frames)
    }
    guard let onMessage = link.onMessage else { return true }
    return messages.reduce(true) { onMessage($1) && $0 }
  }

  /// One side is closed: it sends and receives nothing more.
  private func closed(_ way: LinkDirection) {
    open.remove(way)
    for message in listener.end() { _ = link.onMessage?(message) }
    self[way].end(under: link(of: way).state[way], at: device.loop.now)
    if open.isEmpty {
      timer.close()
      onClose?()
    } else {
      pump()
    }
  }

  private func pump() {
    guard !link.isHeld else {
      for way in LinkDirection.allCases { source(of: way).pauseReading() }
      return
    }
    for way in LinkDirection.allCases { pump(way) }
    let deadlines = LinkDirection.allCases.compactMap { self[$0].nextDeadline(under: link(of: $0).state[$0]) }
    guard !open.isEmpty, let next = deadlines.min(), next > device.loop.now else { return }
    timer.schedule(at: next)
  }

  private func pump(_ way: LinkDirection) {
    let destination = destination(of: way)
    while destination.queuedBytes < Self.limit,
      let passage = self[way].take(under: link(of: way).state[way], at: device.loop.now)
    {
      switch passage {
      case .bytes(let bytes): destination.write(bytes)
      case .end: destination.shutdownAfterWrites()
      }
    }
    if self[way].heldBytes + destination.queuedBytes >= Self.limit {
      source(of: way).pauseReading()
    } else {
      source(of: way).resumeReading()
    }
  }
}
