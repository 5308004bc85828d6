import Testing
import ZoneKitRecords
import ZoneKitTables

@testable import ZoneKitTableServer

/// Two clients of a topic, and one that has not joined it.
@Suite struct ChannelTopicTests {
  private static let topic = "realtime:x"
  private var channels: Channels
  private let first: SocketID
  private let second: SocketID

  init() {
    channels = Channels()
    first = channels.socket
    second = channels.server.open(key: Channels.key, at: channels.now)
    _ = channels.server.open(key: Channels.key, at: channels.now)
  }

  private mutating func join(_ join: ChannelJoin = ChannelJoin(), on socket: SocketID) -> [ChannelEffect] {
    channels.receive(.join(join), ref: "1", as: nil, on: socket)
  }

  private func reply(_ answer: ChannelAnswer, ref: String = "2", to socket: SocketID) -> ChannelEffect {
    .send(answer, topic: Self.topic, joinRef: "1", ref: ref, to: socket)
  }

  private func tell(_ answer: ChannelAnswer, to sockets: SocketID...) -> ChannelEffect {
    .tell(answer, topic: Self.topic, to: sockets)
  }

  private func state(_ state: JSON, to socket: SocketID) -> ChannelEffect {
    .send(.presenceState(state), topic: Self.topic, joinRef: nil, ref: nil, to: socket)
  }

  private static let shout = ChannelBroadcast(event: "shout", ["a": 1])

  // MARK: Broadcasts

  @Test mutating func `a broadcast goes to the others of the topic, also of other accounts, and gets no reply`() {
    _ = channels.join([], as: .success(Channels.claims(Channels.mara)), on: first)
    _ = channels.join([], as: .success(Channels.claims(Channels.ben)), on: second)
    #expect(channels.receive(.broadcast(Self.shout), as: nil, on: first) == [tell(.broadcast(Self.shout), to: second)])
  }

  @Test mutating func `a client gets its own broadcasts and replies to them if its join asks for that`() {
    var asked = ChannelJoin(wantsBroadcastReplies: true)
    asked.hearsOwnBroadcasts = true
    _ = join(asked, on: first)
    _ = join(on: second)
    #expect(
      channels.receive(.broadcast(Self.shout), as: nil, on: first)
        == [reply(.done, to: first), tell(.broadcast(Self.shout), to: first, second)])
    #expect(channels.receive(.broadcast(Self.shout), as: nil, on: second) == [tell(.broadcast(Self.shout), to: first)])
  }

  @Test mutating func `a broadcast of nobody in the topic goes to all of it`() {
    #expect(channels.server.pass(Self.shout, topic: Self.topic).isEmpty)
    _ = join(on: first)
    #expect(channels.server.pass(Self.shout, topic: Self.topic) == [tell(.broadcast(Self.shout), to: first)])
    #expect(channels.server.pass(Self.shout, topic: "realtime:y").isEmpty)
  }

  @Test mutating func `who has left, or whose socket is closed, gets no broadcast`() {
    _ = join(on: first)
    _ = join(on: second)
    _ = channels.receive(.leave, as: nil, on: second)
    #expect(channels.receive(.broadcast(Self.shout), as: nil, on: first).isEmpty)
    _ = join(on: second)
    _ = channels.server.closed(second)
    #expect(channels.receive(.broadcast(Self.shout), as: nil, on: first).isEmpty)
  }

  @Test mutating func `a channel with too many messages in a second ends`() {
    var limits = ChannelLimits()
    limits.messagesPerSecond = 2
    channels = Channels(limits)
    _ = join(on: first)
    for _ in 1...2 { #expect(channels.receive(.broadcast(Self.shout), as: nil, on: first).isEmpty) }
    _ = channels.wait(1_000)
    for _ in 1...2 { #expect(channels.receive(.broadcast(Self.shout), as: nil, on: first).isEmpty) }
    #expect(
      channels.receive(.broadcast(Self.shout), as: nil, on: first) == [
        .send(.ended(message: "Too many messages per second"), topic: Self.topic, joinRef: nil, ref: nil, to: first),
        reply(.closed, ref: "1", to: first),
      ])
  }

  @Test mutating func `a private channel is refused in words`() throws {
    var join = ChannelJoin()
    join.isPrivate = true
    guard case .send(.refused(let reason), _, _, _, _)? = self.join(join, on: first).first else {
      Issue.record("the join is not refused")
      return
    }
    #expect(reason.hasPrefix("Unauthorized: You do not have permissions to read from this Channel topic: x."))
    #expect(
      channels.receive(.broadcast(Self.shout), as: nil, on: first) == [reply(.refused("unmatched topic"), to: first)])
  }

  // MARK: Presence

  private let mara = JSON.Member("name", "Mara")
  private let ben = JSON.Member("name", "Ben")

  private func meta(_ ref: String, _ members: JSON.Member...) -> JSON {
    ["metas": [.object([JSON.Member("phx_ref", .string(ref))] + members)]]
  }

  @Test mutating func `everyone who asked for it is told who is present, who came and who went`() {
    #expect(
      join(ChannelJoin(wantsPresence: true, presenceKey: "m"), on: first)
        == [reply(.joined([]), ref: "1", to: first), state(.object([]), to: first)])
    #expect(
      channels.receive(.track([mara]), as: nil, on: first) == [
        reply(.done, to: first),
        tell(.presenceChange(joins: ["m": meta("zk1", mara)], leaves: .object([])), to: first),
      ])
    #expect(
      join(ChannelJoin(wantsPresence: true, presenceKey: "b"), on: second)
        == [reply(.joined([]), ref: "1", to: second), state(["m": meta("zk1", mara)], to: second)])
    #expect(
      channels.receive(.untrack, as: nil, on: first) == [
        reply(.done, to: first),
        tell(.presenceChange(joins: .object([]), leaves: ["m": meta("zk1", mara)]), to: first, second),
      ])
    #expect(channels.receive(.untrack, as: nil, on: first) == [reply(.done, to: first)])
  }

  @Test mutating func `a client that says something else leaves with what it said and comes with the new`() {
    _ = join(ChannelJoin(wantsPresence: true, presenceKey: "m"), on: first)
    _ = channels.receive(.track([mara]), as: nil, on: first)
    #expect(channels.receive(.track([mara]), as: nil, on: first) == [reply(.done, to: first)])
    let previous = JSON.Member("phx_ref_prev", "zk1")
    #expect(
      channels.receive(.track([ben]), as: nil, on: first) == [
        reply(.done, to: first),
        tell(.presenceChange(joins: ["m": meta("zk2", previous, ben)], leaves: ["m": meta("zk1", mara)]), to: first),
      ])
  }

  @Test mutating func `clients with the same key are metas of it, and one without a key gets its own`() {
    _ = join(ChannelJoin(presenceKey: "m"), on: first)
    _ = join(ChannelJoin(presenceKey: "m"), on: second)
    _ = channels.receive(.track([mara]), as: nil, on: first)
    let both: JSON = [
      "m": ["metas": [["phx_ref": "zk1", "name": "Mara"], ["phx_ref": "zk2", "name": "Ben"]]]
    ]
    #expect(
      channels.receive(.track([ben]), as: nil, on: second) == [
        reply(.done, to: second),
        tell(.presenceChange(joins: ["m": meta("zk2", ben)], leaves: .object([])), to: first),
        state(both, to: second),
      ])
    _ = join(on: first)
    _ = channels.receive(.leave, as: nil, on: second)
    _ = join(on: second)
    _ = channels.receive(.track([]), as: nil, on: first)
    _ = channels.receive(.track([]), as: nil, on: second)
    #expect(channels.server.presences.state(of: Self.topic).object?.count == 2)
  }

  @Test mutating func `a client that leaves, ends or is cut is present no more`() {
    _ = join(ChannelJoin(wantsPresence: true, presenceKey: "m"), on: first)
    let gone = tell(.presenceChange(joins: .object([]), leaves: ["b": meta("zk1", ben)]), to: first)
    for (number, leave) in [ChannelRequest.Wish.leave, .join(ChannelJoin()), .other].enumerated() {
      let other = channels.server.open(key: Channels.key, at: channels.now)
      _ = join(ChannelJoin(presenceKey: "b"), on: other)
      _ = channels.receive(.track([ben]), as: nil, on: other)
      let effects = number < 2 ? channels.receive(leave, as: nil, on: other) : channels.server.closed(other)
      let told = effects.contains { effect in
        guard case .tell(.presenceChange(_, let leaves), _, let to) = effect else { return false }
        return leaves["b"] != nil && to == [first]
      }
      #expect(told, "\(leave)")
      _ = channels.server.closed(other)
    }
    _ = gone
    #expect(channels.server.presences.state(of: Self.topic) == .object([]))
  }

  @Test mutating func `presence is bounded for a client, a topic and all, at the limit and one beyond`() {
    var limits = ChannelLimits()
    // {"a":"…"} and the key of one byte.
    (limits.presenceBytes, limits.topicPresenceBytes, limits.allPresenceBytes) = (20, 35, 50)
    channels = Channels(limits)
    func said(_ size: Int) -> [JSON.Member] { [JSON.Member("a", .string(String(repeating: "x", count: size - 9)))] }
    func isTracked(_ size: Int, topic: String, on socket: SocketID, _ channels: inout Channels) -> Bool {
      _ = channels.receive(.join(ChannelJoin(presenceKey: "k")), topic: topic, ref: "1", as: nil, on: socket)
      let effects = channels.receive(.track(said(size)), topic: topic, as: nil, on: socket)
      if case .send(.done, _, _, _, _)? = effects.first { return true } else { return false }
    }
    let others = (0..<2).map { _ in channels.server.open(key: Channels.key, at: channels.now) }
    #expect(!isTracked(21, topic: "a", on: first, &channels))
    #expect(isTracked(20, topic: "a", on: first, &channels))
    #expect(!isTracked(16, topic: "a", on: others[0], &channels))
    #expect(isTracked(15, topic: "a", on: others[0], &channels))
    #expect(!isTracked(16, topic: "b", on: others[1], &channels))
    #expect(isTracked(15, topic: "b", on: others[1], &channels))
    _ = channels.server.closed(first)
    #expect(isTracked(20, topic: "c", on: others[1], &channels))
  }
}
