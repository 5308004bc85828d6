import ZoneKitEventLoop

/// A proxy between a device and one address of the server. It forwards everything, and delays, drops or changes it as its
/// state says.
package final class LinkProxy {
  /// Where the device connects.
  package let address: Address
  /// What the link carries.
  package let framing: LinkFraming
  /// Called with every complete message of a link of requests before it is forwarded. Where it returns false the message is
  /// not forwarded, and the connection ends.
  package var onMessage: ((LinkMessage) -> Bool)?
  /// Whether nothing is read or written: what is under way stays where it is, as if no time passed.
  package var isHeld = false {
    didSet { for pair in pairs.values { pair.stateChanged() } }
  }
  /// What the link does to what passes.
  package private(set) var state = LinkState()

  private let loop: Loop
  private var target: Address
  private var listener: Listener?
  private var pairs: [ObjectIdentifier: LinkPair] = [:]

  /// Listens for a device, and connects to the target for each of its connections. Throws where the address cannot be
  /// listened on.
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

  /// The link of a listener, which is made before the link is.
  private final class Entrance {
    weak var link: LinkProxy?
  }

  /// How many connections are open.
  package var connections: Int { pairs.count }

  /// Changes what the link does, at once and also to what waits already. Directions that are not cut any more lose the
  /// connections of which a part was swallowed.
  package func change(_ body: (inout LinkState) -> Void) {
    body(&state)
    for pair in pairs.values { pair.stateChanged() }
  }

  /// Closes all connections now, both ways; what is under way is lost. New ones are taken.
  package func closeConnections() {
    for pair in pairs.values { pair.close() }
  }

  /// Sends lines on that wait for the next one.
  package func releaseSwapped() {
    for pair in pairs.values { pair.releaseSwapped() }
  }

  /// Closes all connections and refuses new ones, as where nothing listens.
  package func refuse() {
    listener?.close()
    listener = nil
    closeConnections()
  }

  /// Takes connections again after `refuse`, to the same target or a new one. Throws where somebody else has taken the
  /// address meanwhile.
  package func accept(to target: Address? = nil) throws(LoopError) {
    if let target { self.target = target }
    guard listener == nil else { return }
    listener = try Listener(at: address, on: loop) { [weak self] in self?.join($0) }
  }

  /// Whether new connections are refused.
  package var isRefusing: Bool { listener == nil }

  /// Refuses, for good.
  package func close() { refuse() }

  private func join(_ device: Connection) {
    let pair = LinkPair(device, to: Connection(to: target, on: loop), over: self)
    let id = ObjectIdentifier(pair)
    pairs[id] = pair
    pair.onClose = { [weak self] in self?.pairs[id] = nil }
  }

  /// Takes bytes of a pair into one of its lanes, by the state of this moment.
  func receive(_ bytes: UnsafeRawBufferPointer, into lane: inout LinkLane, _ way: LinkDirection) {
    lane.receive(bytes, under: &state, way, at: loop.now)
  }

  /// Whether the answer that comes in now is to be lost; counts it.
  func losesAnswer() -> Bool { state.losesAnswer() }
}
