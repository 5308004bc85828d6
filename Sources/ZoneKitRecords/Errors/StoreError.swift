/// What a disk or database can do to a machine: the room it works in failed, not the request.
public struct StoreError: Error, Hashable, Sendable, CustomStringConvertible {
  /// What kind of failure it is, as far as a machine has to act on it.
  public enum Kind: String, Hashable, Sendable {
    /// No space left.
    case full
    /// The file or folder cannot be written.
    case readOnly
    /// Another process holds the file.
    case busy
    /// The file is not what it should be.
    case corrupt
    /// Reading or writing failed in another way.
    case failed
  }

  /// What kind of failure it is.
  public var kind: Kind
  /// What the system said, with its code.
  public var message: String
  /// The file, or the part of it, that was touched.
  public var place: String

  /// A failure at that place.
  public init(_ kind: Kind, _ message: String, place: String) {
    self.kind = kind
    self.message = message
    self.place = place
  }

  /// Kind, place and message in one line.
  public var description: String { "\(place): \(message) (\(kind.rawValue))" }
}
