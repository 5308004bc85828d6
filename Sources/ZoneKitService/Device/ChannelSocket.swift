import ZoneKitEventLoop
import ZoneKitRecords
import ZoneKitStorage
import ZoneKitTables
import ZoneKitWebSocket
import ZoneKitWire

/// A device's WebSocket to a realtime service, with at most one connection at a time.
final class ChannelSocket {
  /// Called when the socket is open.
  var onOpen: (() -> Void)?
  /// Called with each message.
  var onFrame: ((ChannelFrame) -> Void)?
  /// Called when the socket could not be opened or is gone, but not for one that was closed here.
  var onClose: (() -> Void)?

  /// A connection and its framing.
  private final class Link {
    let connection: ZoneKitEventLoop.Connection
    var answer: WebSocketAnswerReader
    /// The framing; nil until the handshake is done.
    var framer: MessageFramer?

    init(_ connection: ZoneKitEventLoop.Connection, _ answer: WebSocketAnswerReader) {
      self.connection = connection
      self.answer = answer
    }
  }

  private let address: Address
  private let version: ChannelVersion
  private let loop: Loop
  private var link: Link?
  private var generator = SystemGenerator()

  /// A socket to the service at that address, with messages of that version.
  init(address: Address, version: ChannelVersion, loop: Loop) {
    self.address = address
    self.version = version
    self.loop = loop
  }

  /// Opens the socket. One that is open is closed first.
  func open(as sender: SupabaseSender) {
    close(code: WebSocketCloseCode.normal.rawValue)
    var bytes: [UInt8] = []
    for _ in 0..<16 { bytes.append(UInt8.random(in: .min ... .max, using: &generator)) }
    let key = Base64.encode(bytes)
    let link = Link(
      ZoneKitEventLoop.Connection(to: address, on: loop),
      WebSocketAnswerReader(hash: SHA1.hash(WebSocketHandshake.proofText(of: key))))
    self.link = link
    let request = ClientRequest(openingSocket: version, from: sender, webSocketKey: key)
    link.connection.onRead = { [weak self, weak link] bytes in
      if let self, let link, self.link === link { self.received(bytes, on: link) }
    }
    link.connection.onClose = { [weak self, weak link] _ in
      if let self, let link, self.link === link { self.ended() }
    }
    link.connection.write(request.bytes(host: address.isUnix ? "localhost" : "\(address)"))
  }

  /// Sends a message. It is dropped if the socket is not open.
  func send(_ frame: ChannelFrame) {
    guard let link, let framer = link.framer else { return }
    framer.send(text: ChannelFrameCodec(version).clientText(of: frame))
    link.connection.write(framer.takeOutput())
  }

  /// Closes the socket with that code. Nothing of it is reported any more.
  func close(code: UInt16) {
    guard let link else { return }
    self.link = nil
    guard let framer = link.framer else { return link.connection.close() }
    framer.close(code: code)
    link.connection.write(framer.takeOutput())
    link.connection.shutdownAfterWrites()
  }

  private func received(_ bytes: UnsafeRawBufferPointer, on link: Link) {
    guard link.framer == nil else { return take(bytes, on: link) }
    switch link.answer.receive(Array(bytes)) {
    case nil: return
    case .refused:
      link.connection.close()
      ended()
    case .opened(let rest):
      link.framer = MessageFramer(.client)
      onOpen?()
      if self.link === link, !rest.isEmpty { rest.withUnsafeBytes { take($0, on: link) } }
    }
  }

  private func take(_ bytes: UnsafeRawBufferPointer, on link: Link) {
    guard let framer = link.framer else { return }
    let events = framer.receive(bytes)
    // Answers to pings and to a close frame.
    let output = framer.takeOutput()
    if !output.isEmpty { link.connection.write(output) }
    for event in events where self.link === link {
      switch event {
      case .text(let text):
        if let frame = ChannelFrameCodec(version).frame(of: text) { onFrame?(frame) }
      case .binary: break
      case .closed:
        link.connection.shutdownAfterWrites()
        ended()
      }
    }
  }

  private func ended() {
    link = nil
    onClose?()
  }
}
