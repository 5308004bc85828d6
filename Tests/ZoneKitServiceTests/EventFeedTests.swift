import Testing
import ZoneKitEventLoop
import ZoneKitPush
import ZoneKitRecords
import ZoneKitWire

@testable import ZoneKitService

/// Live facts over a real socket.
@Suite struct EventFeedTests {
  private let journal = ServerJournal(version: "7") { WallTime(milliseconds: 0) }

  private func rig(_ feed: EventFeed) throws -> HTTPRig {
    try HTTPRig(["events": HTTPRoute { feed.serve($0) }, "ping": .echoesPath])
  }

  @Test func `a client is sent the facts from its connection on`() throws {
    let feed = EventFeed(of: journal)
    let rig = try rig(feed)
    journal.record(PushFact.unregistered(device: "before"))
    let client = rig.client(sending: get("/events"))
    rig.run { client.text.contains(": facts of zonekit 7\n\n") }
    #expect(client.text.contains("Content-Type: text/event-stream\r\n"))
    journal.record(PushFact.unregistered(device: "a"))
    feed.publish()
    rig.run { client.text.contains("event: tokenUnregistered") }
    #expect(
      client.text.contains(
        #"id: 2\#nevent: tokenUnregistered\#ndata: {"event":"tokenUnregistered","at":"1970-01-01T00:00:00.000Z","#
          + #""fact":"tokenUnregistered","device":"a"}\#n\#n"#))
    #expect(!client.text.contains("before"))
    rig.end()
  }

  @Test func `a client that comes again is sent what it lacks`() throws {
    let feed = EventFeed(of: journal)
    let rig = try rig(feed)
    for number in 1...3 { journal.record(PushFact.unregistered(device: "d\(number)")) }
    let client = rig.client(sending: get("/events", "Last-Event-ID: 1"))
    rig.run { client.text.contains("id: 3\n") }
    #expect(client.text.contains("id: 2\n"))
    #expect(!client.text.contains("id: 1\n"))
    rig.end()
  }

  @Test func `a client that missed facts gets their number`() throws {
    let feed = EventFeed(of: journal)
    let rig = try rig(feed)
    for _ in 0..<ServerJournal.factLimit + 5 { journal.record(PushFact.disconnected(device: "d")) }
    let client = rig.client(sending: get("/events", "Last-Event-ID: 2"))
    rig.run { client.text.contains("id: \(ServerJournal.factLimit + 5)\n") }
    #expect(client.text.contains(#"event: missed\#ndata: {"event":"missed","facts":3}"#))
    #expect(journal.missed == 3)
    rig.end()
  }

  @Test func `a client that went is forgotten`() throws {
    let feed = EventFeed(of: journal)
    let rig = try rig(feed)
    let client = rig.client(sending: get("/events"))
    rig.run { feed.readerCount == 1 && !client.heard.isEmpty }
    client.close()
    rig.run { feed.readerCount == 0 }
    rig.end()
  }

  @Test func `clients that read nothing take little memory together, and get all facts when they read`() throws {
    let feed = EventFeed(of: journal)
    let rig = try rig(feed)
    let clients = (0..<6).map { _ in rig.client() }
    for client in clients {
      client.stream.pauseReading()
      client.send(get("/events"))
    }
    rig.run { feed.readerCount == 6 }
    let device = String(repeating: "d", count: 200)
    for _ in 0..<ServerJournal.factLimit { journal.record(PushFact.disconnected(device: device)) }
    for _ in 0..<5 {
      feed.publish()
      rig.letThingsHappen()
    }
    let most = min(EventFeed.totalLimit, 6 * EventFeed.readerLimit) + 6 * EventFeed.batch * 500
    #expect(HTTPLoad.unsentLimit - rig.server.load.room <= most)
    for client in clients { client.stream.resumeReading() }
    let last = "id: \(ServerJournal.factLimit)\n"
    rig.run { clients.allSatisfy { String(decoding: $0.heard.suffix(600), as: UTF8.self).contains(last) } }
    #expect(journal.missed == 0)
    rig.end()
  }
}
