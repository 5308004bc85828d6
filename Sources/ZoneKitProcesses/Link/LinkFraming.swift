/// What a link knows of the bytes it carries.
package enum LinkFraming: Hashable, Sendable {
  /// Nothing: they pass as they come.
  case bytes
  /// They are lines, each ending with a line feed; the first one of a connection is its greeting, to which no fault happens.
  case lines
}
