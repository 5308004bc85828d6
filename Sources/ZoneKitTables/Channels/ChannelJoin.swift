/// What a client asks for when it joins a channel.
package struct ChannelJoin: Equatable, Sendable {
  /// The changes that it wants to get.
  package var entries: [ChannelEntry]
  /// Whether it wants to know who is present.
  package var wantsPresence: Bool
  /// The name under which it is present; nil if it leaves that to the server.
  package var presenceKey: String?
  /// Whether it waits for a reply to each broadcast.
  package var wantsBroadcastReplies: Bool
  /// Whether it gets its own broadcasts too.
  package var hearsOwnBroadcasts = false
  /// Whether only clients with a right to the topic may join it.
  package var isPrivate = false

  /// A join for those changes.
  package init(
    _ entries: [ChannelEntry] = [], wantsPresence: Bool = false, presenceKey: String? = nil,
    wantsBroadcastReplies: Bool = false
  ) {
    self.entries = entries
    self.wantsPresence = wantsPresence
    self.presenceKey = presenceKey
    self.wantsBroadcastReplies = wantsBroadcastReplies
  }
}
