import ZoneKitRecords

/// A client's message on a realtime socket.
package struct ChannelRequest: Equatable, Sendable {
  /// What the client wants.
  package enum Wish: Equatable, Sendable {
    /// To get changes on the channel.
    case join(ChannelJoin)
    /// A join that cannot be read; the reason.
    case unreadableJoin(String)
    /// That the token with the message counts for the channel from now on.
    case renewToken
    /// To leave the channel.
    case leave
    /// To be told that the socket works.
    case heartbeat
    /// To pass something to the other clients of the topic.
    case broadcast(ChannelBroadcast)
    /// To be present in the topic, with those members.
    case track([JSON.Member])
    /// To be present no more.
    case untrack
    /// A message on presence that cannot be read; the reason.
    case unreadablePresence(String)
    /// Something that is ignored.
    case other
  }

  /// The channel's topic.
  package var topic: String
  /// The reference of the join to which the message belongs; nil for none.
  package var joinRef: String?
  /// The reference of the message; nil for none.
  package var ref: String?
  /// The access token in the message; nil for none.
  package var token: String?
  /// What the client wants.
  package var wish: Wish

  /// A message.
  package init(topic: String, joinRef: String? = nil, ref: String? = nil, token: String? = nil, _ wish: Wish) {
    self.topic = topic
    self.joinRef = joinRef
    self.ref = ref
    self.token = token
    self.wish = wish
  }
}
