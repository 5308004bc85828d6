/// A failure of a disk or database, as opposed to a refused request.
public struct StoreError: Error, Hashable, Sendable, CustomStringConvertible {
  /// The kinds of failures that a machine distinguishes.
  public enum Kind: String, Hashable, Sendable {
    /// There is no space left.
    case full
    /// The file or folder cannot be written.
    case readOnly
    /// Another process holds the file.
    case busy
    /// The file is damaged or is not a file of this program.
    case corrupt
    /// The reading was ended before its result, because it took too long or nobody waits for it.
    case interrupted
    /// Reading or writing failed in another way.
    case failed
  }

  /// The kind of the failure.
  public var kind: Kind
  /// The system's message and code.
  public var message: String
  /// The path or place of the failure.
  public var place: String

  /// A failure of that kind at that place.
  public init(_ kind: Kind, _ message: String, place: String) {
    self.kind = kind
    self.message = message
    self.place = place
  }

  /// Place, message and kind on one line.
  public var description: String { "\(place): \(message) (\(kind.rawValue))" }
}
