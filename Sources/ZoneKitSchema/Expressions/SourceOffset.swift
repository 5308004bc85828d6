/// Where a part of a schema begins in its text, in bytes. Any two are equal, so that parts which say the same are equal
/// wherever they are written.
package struct SourceOffset: Equatable, Sendable {
  /// The number of bytes before the part.
  package var bytes: Int

  /// The place behind that many bytes.
  package init(_ bytes: Int) { self.bytes = bytes }

  /// Always true.
  package static func == (_: SourceOffset, _: SourceOffset) -> Bool { true }
}
