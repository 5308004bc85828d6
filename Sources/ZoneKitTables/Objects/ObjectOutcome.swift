import ZoneKitRecords

/// What a client learns about its request for the bytes of an object.
package enum ObjectOutcome: Hashable, Sendable {
  /// The service has stored the object.
  case stored
  /// The bytes came; this is their SHA-256 hash as hexadecimal digits.
  case received(hash: String)
  /// The service refused the request, which changed nothing.
  case refused(ServiceRefusal)
  /// There is no answer. The text says why. The service may have carried the request out.
  case failed(String)
  /// The device cannot read the bytes that it was to send. The text says why.
  case unreadable(String)
}
