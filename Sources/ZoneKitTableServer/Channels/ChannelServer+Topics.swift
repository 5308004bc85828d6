import ZoneKitRecords
import ZoneKitTables

/// What clients of a topic tell each other, and who is present in it.
extension ChannelServer {
  /// Passes a broadcast that did not come over a socket to all clients of a topic.
  package func pass(_ broadcast: ChannelBroadcast, topic: String) -> [ChannelEffect] {
    guard let everyone = members[topic] else { return [] }
    return [.tell(.broadcast(broadcast), topic: topic, to: everyone)]
  }

  /// Passes a broadcast of a client to the others of the topic, and to itself if it asked for that.
  func pass(
    _ broadcast: ChannelBroadcast, _ request: ChannelRequest, on socket: SocketID, _ channel: Channel
  ) -> [ChannelEffect] {
    let reply: [ChannelEffect] = channel.wantsBroadcastReplies ? [.reply(.done, to: request, on: socket)] : []
    let hearers = (members[request.topic] ?? []).filter { $0 != socket || channel.hearsOwnBroadcasts }
    guard !hearers.isEmpty else { return reply }
    return reply + [.tell(.broadcast(broadcast), topic: request.topic, to: hearers)]
  }

  /// Makes a client present. The first time, one that did not ask for that at its join is told who is present.
  mutating func track(
    _ said: [JSON.Member], _ request: ChannelRequest, on socket: SocketID, _ channel: Channel
  ) -> [ChannelEffect] {
    let change: Presences.Change?
    do throws(Presences.Refusal) {
      change = try presences.track(ChannelPlace(socket, request.topic), key: channel.presenceKey, said)
    } catch {
      return [.reply(.refused(error.reason), to: request, on: socket)]
    }
    var effects: [ChannelEffect] = [.reply(.done, to: request, on: socket)]
    if let change { effects += presenceChange(change, of: request.topic) }
    if !channel.hearsPresence {
      sockets[socket]?.channels[request.topic]?.hearsPresence = true
      effects.append(presenceState(of: request.topic, to: socket))
    }
    return effects
  }

  /// Makes a client present no more.
  mutating func untrack(_ request: ChannelRequest, on socket: SocketID) -> [ChannelEffect] {
    let change = presences.untrack(ChannelPlace(socket, request.topic))
    return [.reply(.done, to: request, on: socket)] + (change.map { presenceChange($0, of: request.topic) } ?? [])
  }

  /// The message that says who is present.
  func presenceState(of topic: String, to socket: SocketID) -> ChannelEffect {
    .push(.presenceState(presences.state(of: topic)), topic, to: socket)
  }

  /// The message that says who came and who went.
  func presenceChange(_ change: Presences.Change, of topic: String) -> [ChannelEffect] {
    let hearers = (members[topic] ?? []).filter { sockets[$0]?.channels[topic]?.hearsPresence == true }
    guard !hearers.isEmpty else { return [] }
    return [.tell(.presenceChange(joins: change.joins, leaves: change.leaves), topic: topic, to: hearers)]
  }
}
