/// A server's message about a channel. Changes of rows are not among them.
public enum ChannelAnswer: Equatable, Sendable {
  /// The channel is joined. Each entry has a number, which its changes name.
  case joined([NumberedEntry])
  /// The request is done.
  case done
  /// The request is refused; the reason.
  case refused(String)
  /// The state of the subscription to changes.
  case subscription(isGood: Bool, message: String)
  /// The end of the channel's right to be told, which follows.
  case ended(message: String)
  /// Nobody is present.
  case presence
  /// The channel is left.
  case closed
}
