/// How a link splits the bytes that it carries.
package enum LinkFraming: Hashable, Sendable {
  /// Not at all: bytes pass as they arrive.
  case bytes
  /// Into lines that end with a line feed. The first line of a connection is the greeting.
  case lines
  /// Into the messages that a server sends over a WebSocket, behind the head of its answer.
  case frames
}
