import ZoneKitRecords
import ZoneKitTables

/// Who is present in the topics of channels, and what each says about itself.
struct Presences {
  /// A client that is present.
  private struct Presence {
    let socket: SocketID
    let key: String
    /// Identifies what it says. It is another one after each change.
    var ref: String
    /// What it says about itself.
    var members: [JSON.Member]
    var size: Int

    /// What others are told.
    var meta: JSON { .object([JSON.Member("phx_ref", .string(ref))] + members) }
  }

  /// A change of who is present: objects with the metas of each key.
  struct Change: Equatable {
    var joins = JSON.object([])
    var leaves = JSON.object([])
  }

  /// Why a client is not present.
  struct Refusal: Error {
    let reason: String
  }

  private let limits: ChannelLimits
  /// Those that are present in a topic, in the order in which they came.
  private var topics: [String: [Presence]] = [:]
  /// The bytes of what all say.
  private var bytes = 0
  private var lastRef = 0

  /// Nobody is present.
  init(_ limits: ChannelLimits) { self.limits = limits }

  /// Who is present in a topic: an object with the metas of each key, in the order in which the keys came.
  func state(of topic: String) -> JSON {
    var members: [JSON.Member] = []
    var places: [String: Int] = [:]
    var metas: [[JSON]] = []
    for presence in topics[topic] ?? [] {
      if let place = places[presence.key] {
        metas[place].append(presence.meta)
      } else {
        places[presence.key] = members.count
        members.append(JSON.Member(presence.key, .null))
        metas.append([presence.meta])
      }
    }
    for index in members.indices { members[index].value = ["metas": .array(metas[index])] }
    return .object(members)
  }

  /// Makes the client of a channel present, or replaces what it says. Returns nil if it says the same again.
  mutating func track(_ place: ChannelPlace, key: String, _ members: [JSON.Member]) throws(Refusal) -> Change? {
    var present = topics[place.topic] ?? []
    let index = present.firstIndex { $0.socket == place.socket }
    if let index, present[index].members == members { return nil }
    let size = JSON.object(members).bytes().count + key.utf8.count
    guard size <= limits.presenceBytes else {
      throw Refusal(reason: "Track message size exceeded: \(size) bytes, at most \(limits.presenceBytes) are possible")
    }
    let former = index.map { present[$0].size } ?? 0
    let inTopic = present.reduce(0) { $0 + $1.size } - former + size
    guard inTopic <= limits.topicPresenceBytes else {
      throw Refusal(reason: "the presences of a topic have at most \(limits.topicPresenceBytes) bytes together")
    }
    guard bytes - former + size <= limits.allPresenceBytes else {
      throw Refusal(reason: "the presences of all topics have at most \(limits.allPresenceBytes) bytes together")
    }
    bytes += size - former
    lastRef += 1
    var presence = Presence(socket: place.socket, key: key, ref: "zk\(lastRef)", members: members, size: size)
    var change = Change()
    if let index {
      change.leaves = Self.told(present[index])
      let formerRef = present[index].ref
      present[index] = presence
      presence.members.insert(JSON.Member("phx_ref_prev", .string(formerRef)), at: 0)
    } else {
      present.append(presence)
    }
    topics[place.topic] = present
    change.joins = Self.told(presence)
    return change
  }

  /// Removes the client of a channel; nil if it was not present.
  mutating func untrack(_ place: ChannelPlace) -> Change? {
    guard let index = topics[place.topic]?.firstIndex(where: { $0.socket == place.socket }),
      let presence = topics[place.topic]?.remove(at: index)
    else { return nil }
    bytes -= presence.size
    if topics[place.topic]?.isEmpty == true { topics[place.topic] = nil }
    return Change(leaves: Self.told(presence))
  }

  private static func told(_ presence: Presence) -> JSON {
    .object([JSON.Member(presence.key, ["metas": .array([presence.meta])])])
  }
}
