/// The reason why a pending record is not sent.
public enum Quarantine: Hashable, Sendable {
  /// The cloud refused it for that reason, or its text is damaged. It waits until the user changes it.
  case refused(String)
  /// The cloud refused it because of another record. It is tried again when that record exists, or does not exist any
  /// more.
  case waiting(String)

  /// The prefix of the text of a record that waits for another one.
  private static let waitingMark = "waits for another record: "

  /// The quarantine for a stored text.
  public init(text: String) {
    self =
      text.hasPrefix(Self.waitingMark) ? .waiting(String(text.dropFirst(Self.waitingMark.count))) : .refused(text)
  }

  /// The stored text.
  public var text: String {
    switch self {
    case .refused(let reason): reason
    case .waiting(let reason): Self.waitingMark + reason
    }
  }
}
