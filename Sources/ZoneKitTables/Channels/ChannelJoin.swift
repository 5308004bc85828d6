/// What a client asks for when it joins a channel.
public struct ChannelJoin: Equatable, Sendable {
  /// The changes that it wants to get.
  public var entries: [ChannelEntry]
  /// Whether it wants to know who is present.
  public var wantsPresence: Bool
  /// The name under which it is present; nil if it leaves that to the server.
  public var presenceKey: String?
  /// Whether it waits for a reply to each broadcast.
  public var wantsBroadcastReplies: Bool
  /// Whether it gets its own broadcasts too.
  public var hearsOwnBroadcasts = false
  /// Whether only clients with a right to the topic may join it.
  public var isPrivate = false

  /// A join for those changes.
  public init(
    _ entries: [ChannelEntry] = [], wantsPresence: Bool = false, presenceKey: String? = nil,
    wantsBroadcastReplies: Bool = false
  ) {
    self.entries = entries
    self.wantsPresence = wantsPresence
    self.presenceKey = presenceKey
    self.wantsBroadcastReplies = wantsBroadcastReplies
  }
}
