/// Why a record that differs from the cloud's is not sent.
public enum Quarantine: Hashable, Sendable {
  /// The cloud refused it for that reason, or its text is damaged: it waits until its user changes it.
  case refused(String)
  /// The cloud refused it for that reason, which is another record: it is tried again when that one is there, or gone.
  case waiting(String)

  /// Begins the text of a record that waits for another one.
  private static let waitingMark = "waits for another record: "

  /// The quarantine that a store keeps as that text.
  public init(text: String) {
    self =
      text.hasPrefix(Self.waitingMark) ? .waiting(String(text.dropFirst(Self.waitingMark.count))) : .refused(text)
  }

  /// The text that a store keeps, and that people read.
  public var text: String {
    switch self {
    case .refused(let reason): reason
    case .waiting(let reason): Self.waitingMark + reason
    }
  }
}
