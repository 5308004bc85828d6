import Glibc
import ZoneKitCWslay

/// One side of a WebSocket connection after its handshake (RFC 6455, 5): converts the peer's bytes to messages, and
/// messages to bytes for the peer.
///
/// A framer owns no socket. After each call its owner sends what `takeOutput` returns. It answers close frames and the
/// newest ping itself, and closes the connection with the code of RFC 6455, 7.4.1 for bytes that are not valid frames:
/// 1002 for a wrong frame, 1007 for a text that is not UTF-8, 1009 for a message that is too large or has too many
/// fragments.
package final class MessageFramer {
  /// Which side of the connection this is. A client masks its frames.
  package enum Side: Hashable, Sendable {
    case server
    case client
  }

  /// What was received.
  package enum Event: Hashable, Sendable {
    /// A text message, in UTF-8.
    case text([UInt8])
    /// A binary message.
    case binary([UInt8])
    /// The connection ends. The code is the peer's, 1005 for a close frame without one, or that of an error which the
    /// framer found, 1006 for one without a code. No event follows.
    case closed(code: UInt16)
  }

  /// The largest message that is accepted, in bytes.
  package static let messageLimit = 1 << 20
  /// The most fragments of a message. Each takes memory beside its bytes until the message is complete.
  package static let fragmentLimit = 1_024

  /// The number of frames that came, of any kind.
  package private(set) var frames = 0
  /// The number of pings that came since the last call of `takeOutput`. Only the newest is answered.
  package private(set) var pings = 0
  private var context: OpaquePointer?
  private var input = UnsafeRawBufferPointer(start: nil, count: 0)
  private var output: [UInt8] = []
  /// The answer to the newest ping (RFC 6455, 5.5.3).
  private var pong: [UInt8] = []
  /// The fragments so far of the message that is being received.
  private var fragments = 0
  private var events: [Event] = []
  private var hasEnded = false

  /// A framer for that side.
  package init(_ side: Side) {
    var callbacks = wslay_event_callbacks()
    callbacks.recv_callback = { context, buffer, length, _, framer in
      MessageFramer.of(framer).read(into: buffer, length, context)
    }
    callbacks.send_callback = { _, bytes, length, _, framer in MessageFramer.of(framer).write(bytes, length) }
    callbacks.genmask_callback = { _, buffer, length, _ in getentropy(buffer, length) }
    callbacks.on_frame_recv_start_callback = { _, frame, framer in MessageFramer.of(framer).begin(frame) }
    callbacks.on_frame_recv_end_callback = { _, framer in MessageFramer.of(framer).frames += 1 }
    callbacks.on_msg_recv_callback = { _, message, framer in MessageFramer.of(framer).take(message) }
    let owner = Unmanaged.passUnretained(self).toOpaque()
    let status =
      switch side {
      case .server: wslay_event_context_server_init(&context, &callbacks, owner)
      case .client: wslay_event_context_client_init(&context, &callbacks, owner)
      }
    precondition(status == 0, "libwslay has memory for a connection")
    wslay_event_config_set_max_recv_msg_length(context, UInt64(Self.messageLimit))
  }

  deinit { wslay_event_context_free(context) }

  /// Converts bytes of the peer. Returns what they complete, in order.
  package func receive(_ bytes: UnsafeRawBufferPointer) -> [Event] {
    guard !hasEnded else { return [] }
    input = bytes
    let status = wslay_event_recv(context)
    input = UnsafeRawBufferPointer(start: nil, count: 0)
    sendAnswers()
    if status != 0 || wslay_event_get_read_enabled(context) == 0 { end(status) }
    defer { events = [] }
    return events
  }

  /// Sends a text message, which must be UTF-8. Nothing is sent after a close frame.
  package func send(text: [UInt8]) { queue(text, UInt8(WSLAY_TEXT_FRAME.rawValue)) }

  /// Sends a binary message.
  package func send(binary: [UInt8]) { queue(binary, UInt8(WSLAY_BINARY_FRAME.rawValue)) }

  /// Whether a message has begun to arrive and is not complete.
  package var isWithinMessage: Bool { fragments > 0 }

  /// Sends a ping. The peer answers with a pong.
  package func ping() { queue([], UInt8(WSLAY_PING.rawValue)) }

  /// Sends a close frame with that code. The peer answers with one, which `receive` reports.
  package func close(code: UInt16) {
    wslay_event_queue_close(context, code, nil, 0)
    send()
  }

  /// The bytes for the peer since the last call. They are whole frames, a pong first and a close frame last.
  package func takeOutput() -> [UInt8] {
    defer { (output, pong, pings) = ([], [], 0) }
    return pong.isEmpty ? output : pong + output
  }

  /// Whether both sides have sent a close frame, or the framer has ended the connection because of an error. The owner
  /// then ends the stream after the output.
  package var isFinished: Bool {
    wslay_event_want_read(context) == 0 && wslay_event_want_write(context) == 0
  }

  // MARK: The library's calls

  private static func of(_ pointer: UnsafeMutableRawPointer?) -> MessageFramer {
    Unmanaged<MessageFramer>.fromOpaque(pointer!).takeUnretainedValue()
  }

  private func read(into buffer: UnsafeMutablePointer<UInt8>?, _ length: Int, _ context: OpaquePointer?) -> Int {
    guard !input.isEmpty else {
      wslay_event_set_error(context, Int32(WSLAY_ERR_WOULDBLOCK.rawValue))
      return -1
    }
    let count = min(length, input.count)
    UnsafeMutableRawBufferPointer(start: buffer, count: count).copyMemory(
      from: UnsafeRawBufferPointer(rebasing: input[..<count]))
    input = UnsafeRawBufferPointer(rebasing: input[count...])
    return count
  }

  private func write(_ bytes: UnsafePointer<UInt8>?, _ length: Int) -> Int {
    output.append(contentsOf: UnsafeBufferPointer(start: bytes, count: length))
    return length
  }

  private func begin(_ frame: UnsafePointer<wslay_event_on_frame_recv_start_arg>?) {
    guard let frame = frame?.pointee else { return }
    switch UInt32(frame.opcode) {
    case WSLAY_TEXT_FRAME.rawValue, WSLAY_BINARY_FRAME.rawValue: fragments = 1
    case WSLAY_CONTINUATION_FRAME.rawValue: fragments += 1
    default: return
    }
    guard fragments > Self.fragmentLimit else { return }
    wslay_event_queue_close(context, UInt16(WSLAY_CODE_MESSAGE_TOO_BIG.rawValue), nil, 0)
    wslay_event_shutdown_read(context)
  }

  private func take(_ message: UnsafePointer<wslay_event_on_msg_recv_arg>?) {
    guard let message = message?.pointee else { return }
    let bytes = UnsafeBufferPointer(start: message.msg, count: message.msg_length)
    switch UInt32(message.opcode) {
    case WSLAY_TEXT_FRAME.rawValue: complete(.text(Array(bytes)))
    case WSLAY_BINARY_FRAME.rawValue: complete(.binary(Array(bytes)))
    case WSLAY_PING.rawValue: pings += 1
    // The end of the connection is reported when the library stops reading.
    default: break
    }
  }

  private func complete(_ message: Event) {
    fragments = 0
    events.append(message)
  }

  private func queue(_ bytes: [UInt8], _ opcode: UInt8) {
    bytes.withUnsafeBufferPointer { bytes in
      var message = wslay_event_msg(opcode: opcode, msg: bytes.baseAddress, msg_length: bytes.count)
      // The only failures are a connection that is closing, and a lack of memory.
      _ = wslay_event_queue_msg(context, &message)
    }
    send()
  }

  private func send() {
    // The callback takes all bytes, so that this cannot fail.
    _ = wslay_event_send(context)
  }

  /// Sends what the library has queued while it received: a pong for each ping, and at most one close frame behind them.
  /// The newest pong replaces those before it.
  private func sendAnswers() {
    let earlier = output
    output = []
    send()
    var rest = output[...]
    while rest.first == 0x80 | UInt8(WSLAY_PONG.rawValue) {
      let length = rest[rest.startIndex + 1]
      let size = 2 + (length & 0x80 == 0 ? 0 : 4) + Int(length & 0x7F)
      pong = Array(rest.prefix(size))
      rest = rest.dropFirst(size)
    }
    output = earlier + rest
  }

  private func end(_ status: Int32) {
    hasEnded = true
    let isPeers = wslay_event_get_close_received(context) != 0
    let code =
      isPeers ? wslay_event_get_status_code_received(context) : wslay_event_get_status_code_sent(context)
    events.append(.closed(code: status == 0 && code != 0 ? code : UInt16(WSLAY_CODE_ABNORMAL_CLOSURE.rawValue)))
  }
}
