import ZoneKitEventLoop

/// A proxy between a device and one address of the server. It forwards all data, and delays, drops or changes it as its
/// state demands.
package final class LinkProxy {
  /// The address to which the device connects.
  package let address: Address
  /// How the link splits the data.
  package let framing: LinkFraming
  /// Called with every complete message on a request link before it is forwarded. If it returns false, the message is
  /// not forwarded and the connection is closed.
  package var onMessage: ((LinkMessage) -> Bool)?
  /// The link whose state applies to what the server sends over WebSockets; nil for this one.
  package weak var channels: LinkProxy?
  /// Whether reading and writing are stopped. Data that waits stays where it is.
  package var isHeld = false {
    didSet { for pair in pairs.values { pair.stateChanged() } }
  }
  /// The conditions and faults of the link.
  package private(set) var state = LinkState()

  private let loop: Loop
  private var target: Address
  private var listener: Listener?
  private var pairs: [ObjectIdentifier: LinkPair] = [:]

  /// Listens for a device and connects to `target` for each of its connections. Throws if the address cannot be opened
  /// for listening.
  package init(at address: Address, to target: Address, framing: LinkFraming, on loop: Loop) throws(LoopError) {
    self.loop = loop
    self.target = target
    self.framing = framing
    let entrance = Entrance()
    let listener = try Listener(at: address, on: loop) { entrance.link?.join($0) }
    self.listener = listener
    self.address = listener.address
    entrance.link = self
  }

  /// A reference to the link for the listener's closure, which is made before the link is.
  private final class Entrance {
    weak var link: LinkProxy?
  }

  /// The number of open connections.
  package var connections: Int { pairs.count }

  /// Changes the state of the link. The change applies at once, also to data that waits. When a direction is no longer
  /// cut, the connections that lost a part of their stream are closed.
  package func change(_ body: (inout LinkState) -> Void) {
    body(&state)
    for pair in pairs.values { pair.stateChanged() }
  }

  /// Closes all connections in both directions. Data that waits is lost. New connections are accepted.
  package func closeConnections() {
    for pair in pairs.values { pair.close() }
  }

  /// Closes all connections and refuses new ones, as if nothing listened on the address.
  package func refuse() {
    listener?.close()
    listener = nil
    closeConnections()
  }

  /// Accepts connections again after `refuse`, for the same target or a new one. Throws if another process has taken
  /// the address in the meantime.
  package func accept(to target: Address? = nil) throws(LoopError) {
    if let target { self.target = target }
    guard listener == nil else { return }
    listener = try Listener(at: address, on: loop) { [weak self] in self?.join($0) }
  }

  /// Whether new connections are refused.
  package var isRefusing: Bool { listener == nil }

  /// Closes all connections and stops listening for good.
  package func close() { refuse() }

  private func join(_ device: Connection) {
    let pair = LinkPair(device, to: Connection(to: target, on: loop), over: self)
    let id = ObjectIdentifier(pair)
    pairs[id] = pair
    pair.onClose = { [weak self] in
      self?.pairs[id] = nil
      self?.channels?.pairs[id] = nil
    }
  }

  /// A pair of this link is a WebSocket now. Returns the link whose state applies to what the server sends.
  func opened(_ pair: LinkPair) -> LinkProxy {
    guard let channels else { return self }
    channels.pairs[ObjectIdentifier(pair)] = pair
    return channels
  }

  /// Takes bytes of a pair into one of its lanes, under the present state.
  func receive(_ bytes: UnsafeRawBufferPointer, into lane: inout LinkLane, _ way: LinkDirection) {
    lane.receive(bytes, under: &state, way, at: loop.now)
  }

  /// Whether the answer that now arrives is to be lost. Each call counts one answer.
  func losesAnswer() -> Bool { state.losesAnswer() }
}
