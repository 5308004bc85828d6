import ZoneKitEventLoop
import ZoneKitTableServer
import ZoneKitTables
import ZoneKitWebSocket
import ZoneKitWire

/// An open realtime socket, with the messages that wait for its client. A message is framed and handed to the connection
/// when the system has taken those before it. So a socket can be closed between two frames, and what a client does not
/// read is in memory once for all sockets.
final class RealtimeSocket {
  /// The number of bytes that are handed over at once, unless one message is larger.
  private static let pieceSize = 64 << 10
  /// How long the client may take nothing of the last bytes, and then not end its side, in milliseconds. A client that sends
  /// something after that does not get what it has not read (RFC 9112, 9.6).
  private static let closingPatience: Int64 = 4_000

  /// The version of the protocol that the client speaks.
  let version: ChannelVersion
  /// The device that the handshake names; nil for none.
  let deviceID: String?
  /// The name of that device in its folder, otherwise its ID.
  let name: String?
  /// The number of events of each channel that were sent, and those that faults dropped, by topic.
  var events: [String: (sent: Int, drops: FaultDrops)] = [:]
  /// The messages that wait.
  private(set) var outgoing = OutgoingMessages()
  /// The bytes of a message that has not arrived completely.
  private(set) var unfinishedBytes = 0
  private let connection: Connection
  private let framer = MessageFramer(.server)
  private var frames = 0

  /// A socket of that device over that connection.
  init(_ connection: Connection, _ version: ChannelVersion, device: String?, name: String?) {
    deviceID = device
    self.name = name
    self.connection = connection
    self.version = version
  }

  /// Whether the client sent a complete frame since the last call.
  func hasHeard() -> Bool {
    defer { frames = framer.frames }
    return framer.frames > frames
  }

  /// Bytes of the client arrived. Returns what they complete.
  func receive(_ bytes: UnsafeRawBufferPointer) -> [MessageFramer.Event] {
    let pings = framer.pings
    let events = framer.receive(bytes)
    outgoing.add(pings: framer.pings - pings)
    unfinishedBytes = events.isEmpty && framer.isWithinMessage ? unfinishedBytes + bytes.count : 0
    return events
  }

  /// Adds a message.
  func send(_ message: ChannelMessage) { outgoing.append(message) }

  /// Hands messages over until the system takes no more.
  func flush() {
    while connection.queuedBytes == 0 {
      var size = 0
      while size < Self.pieceSize, let message = outgoing.next() {
        if message.isBinary { framer.send(binary: message.bytes) } else { framer.send(text: message.bytes) }
        size += message.count
      }
      let output = framer.takeOutput()
      guard !output.isEmpty else { break }
      outgoing.handedOver(output.count)
      connection.write(output)
    }
    outgoing.remain(connection.queuedBytes)
  }

  /// Looks whether the client takes what waits for it. Returns whether it reads too slowly.
  func look(isShort: Bool) -> Bool {
    flush()
    return outgoing.look(isShort: isShort)
  }

  /// Stops reading, so that the client is slowed down.
  func pauseReading() { connection.pauseReading() }

  /// Reads again.
  func resumeReading() { connection.resumeReading() }

  /// Ends the connection without a word.
  func cut() { connection.close() }

  /// Ends the connection with a close frame. The messages for which the system has room go before it, and those that wait are
  /// dropped. Without a code the client has closed it.
  func close(code: UInt16?) {
    if let code {
      flush()
      framer.close(code: code)
    }
    let output = framer.takeOutput()
    if !output.isEmpty { connection.write(output) }
    connection.resumeReading()
    connection.shutdownAfterWrites(patience: Self.closingPatience, linger: Self.closingPatience)
  }
}
