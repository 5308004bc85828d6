import Testing
import ZoneKitRecords
import ZoneKitTableServer
import ZoneKitTables

@Suite struct OutgoingMessagesTests {
  private let limits = ChannelLimits()

  private func message(_ size: Int = 10) -> ChannelMessage { ChannelMessage([UInt8](repeating: 0x61, count: size)) }

  private func filled(_ count: Int, size: Int = 10) -> OutgoingMessages {
    var outgoing = OutgoingMessages(limits)
    for _ in 0..<count { outgoing.append(message(size)) }
    return outgoing
  }

  /// Whether a client is closed after that many looks at it, and not earlier.
  private func looks(_ outgoing: inout OutgoingMessages, isShort: Bool = false, upTo count: Int = 100) -> Int? {
    (1...count).first { _ in outgoing.look(isShort: isShort) }
  }

  @Test func `messages are handed over in order, whatever was handed over before`() {
    var outgoing = OutgoingMessages()
    var (added, taken) = (0, 0)
    for round in 1...40 {
      for _ in 0..<20 {
        outgoing.append(ChannelMessage(Array("\(added)".utf8)))
        added += 1
      }
      for _ in 0..<(round == 40 ? 1_000 : 17) {
        guard let next = outgoing.next() else { break }
        #expect(next.bytes == Array("\(taken)".utf8))
        taken += 1
      }
    }
    #expect(taken == added)
    #expect(outgoing.isEmpty)
  }

  @Test func `a client with as much as the bound is not behind, and one with more is`() {
    #expect(!filled(limits.waitingMessages).isBehind)
    #expect(filled(limits.waitingMessages + 1).isBehind)
    #expect(!filled(4, size: 1 << 20).isBehind)
    #expect(filled(5, size: 1 << 20).isBehind)
  }

  @Test func `a client with more than the bound is closed when several looks find that it took nothing`() {
    var outgoing = filled(5_000)
    #expect(looks(&outgoing) == limits.looks + 1)
    outgoing = filled(5_000)
    outgoing.handedOver(100)
    outgoing.remain(100)
    #expect(looks(&outgoing, upTo: limits.looks) == nil)
    outgoing.remain(99)
    #expect(looks(&outgoing) == limits.looks + 1)
  }

  @Test func `a client that takes something between two looks is never closed`() {
    var outgoing = filled(10_000)
    for _ in 0..<1_000 {
      #expect(looks(&outgoing, upTo: limits.looks) == nil)
      outgoing.handedOver(1)
      outgoing.remain(0)
    }
  }

  @Test func `a client with no more than the bound may take nothing for any time, unless memory is short`() {
    var outgoing = filled(limits.waitingMessages, size: 100)
    #expect(looks(&outgoing) == nil)
    #expect(looks(&outgoing, isShort: true) == limits.looks + 1)
    outgoing = filled(6, size: 10_000)
    #expect(looks(&outgoing, isShort: true) == nil)
  }

  @Test func `what very many wait for is too much, at the limit and one beyond`() {
    var outgoing = filled(limits.mostMessages)
    #expect(!outgoing.isTooMuch)
    outgoing.append(message())
    #expect(outgoing.isTooMuch)
    var large = filled(32, size: 1 << 20)
    #expect(!large.isTooMuch)
    large.handedOver(1)
    #expect(large.isTooMuch)
  }

  @Test func `pings without an answer count as messages until a pong is handed over`() {
    var outgoing = OutgoingMessages()
    outgoing.add(pings: limits.waitingMessages)
    #expect(!outgoing.isBehind && !outgoing.isEmpty)
    outgoing.add(pings: 1)
    #expect(outgoing.isBehind)
    #expect(looks(&outgoing) == limits.looks + 1)
    outgoing.handedOver(2)
    outgoing.remain(0)
    #expect(outgoing.isEmpty)
  }
}

/// Changes that are told in parts.
@Suite struct ChangeBacklogTests {
  private let account = UUID(high: 1, low: 1)

  private func changes(_ numbers: Range<Int>, of account: UUID) -> AccountChanges {
    AccountChanges(
      account: account,
      changes: numbers.map { number in
        RowChange(
          table: "reminders", key: RowKey([UUID(high: 0, low: UInt64(number))]), old: nil, new: nil,
          stamp: WallTime(milliseconds: Int64(number)))
      })
  }

  @Test func `changes come out in order, in parts of one account`() {
    let other = UUID(high: 2, low: 2)
    var backlog = ChangeBacklog()
    backlog.append(changes(0..<250, of: account))
    backlog.append(changes(0..<0, of: account))
    backlog.append(changes(250..<260, of: other))
    #expect(backlog.count == 260)
    #expect(backlog.next(100) == changes(0..<100, of: account))
    #expect(backlog.next(100) == changes(100..<200, of: account))
    #expect(backlog.next(100) == changes(200..<250, of: account))
    #expect(backlog.count == 10)
    #expect(backlog.next(100) == changes(250..<260, of: other))
    #expect(backlog.next(100) == nil)
  }

  @Test func `a list that never becomes empty keeps its order`() {
    var backlog = ChangeBacklog()
    for number in 0..<500 { backlog.append(changes(number..<number + 2, of: account)) }
    for number in 0..<500 {
      #expect(backlog.next(1) == changes(number..<number + 1, of: account))
      #expect(backlog.next(1) == changes(number + 1..<number + 2, of: account))
      backlog.append(changes(1_000..<1_001, of: account))
    }
    #expect(backlog.count == 500)
  }
}
