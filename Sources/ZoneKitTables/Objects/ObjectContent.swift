/// What an upload says about the bytes of an object, and the hash of the bytes, which names them in the store.
package struct ObjectContent: Hashable, Sendable {
  /// The SHA-256 hash of the bytes as 64 hexadecimal digits in lower case.
  package var hash: String
  /// The number of bytes.
  package var size: Int
  /// The media type, without parameters.
  package var contentType: String
  /// The value of the field `Cache-Control` in answers.
  package var cacheControl: String
  /// The client's own data as a JSON object; nil for none.
  package var metadata: String?

  /// The content with those properties.
  package init(
    hash: String, size: Int, contentType: String, cacheControl: String = "no-cache", metadata: String? = nil
  ) {
    self.hash = hash
    self.size = size
    self.contentType = contentType
    self.cacheControl = cacheControl
    self.metadata = metadata
  }
}
