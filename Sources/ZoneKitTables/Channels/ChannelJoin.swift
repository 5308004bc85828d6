/// What a client asks for when it joins a channel.
public struct ChannelJoin: Equatable, Sendable {
  /// The changes that it wants to get.
  public var entries: [ChannelEntry]
  /// Whether it wants to know who is present.
  public var wantsPresence: Bool
  /// Whether it waits for a reply to each broadcast.
  public var wantsBroadcastReplies: Bool

  /// A join for those changes.
  public init(_ entries: [ChannelEntry] = [], wantsPresence: Bool = false, wantsBroadcastReplies: Bool = false) {
    self.entries = entries
    self.wantsPresence = wantsPresence
    self.wantsBroadcastReplies = wantsBroadcastReplies
  }
}
