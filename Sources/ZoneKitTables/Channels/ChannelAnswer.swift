import ZoneKitRecords

/// A server's message about a channel. Changes of rows are not among them.
package enum ChannelAnswer: Equatable, Sendable {
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
  /// Who is present: an object with the metas of each key.
  case presenceState(JSON)
  /// Who came and who went, in the same form.
  case presenceChange(joins: JSON, leaves: JSON)
  /// What a client passes to those of the topic.
  case broadcast(ChannelBroadcast)
  /// The channel is left.
  case closed
}
