import ZoneKitEventLoop
import ZoneKitRecords
import ZoneKitWire

/// Streams a server's facts to clients as server-sent events. A client that reads slowly gets nothing until it has room
/// again; then it continues where it was, and an event reports the number of facts that it missed.
final class EventFeed {
  /// One client.
  private final class Reader {
    let stream: HTTPAnswerStream
    /// The number of the last fact that was sent to it.
    var position: UInt64
    /// How far it is with what the live page gets; nil if it is no page.
    var page: PageFeed.Position?

    init(_ stream: HTTPAnswerStream, after position: UInt64, isPage: Bool) {
      self.stream = stream
      self.position = position
      page = isPage ? PageFeed.Position() : nil
    }
  }

  /// The most bytes that wait for one client, and for all together, beside the last batch of each.
  static let readerLimit = 64 << 10
  static let totalLimit = 8 << 20
  /// The most facts that are sent at once.
  static let batch = 100
  /// The least time between two writes to a client, in milliseconds, as far as they are not because it has room again.
  static let pause: Int64 = 50

  private let journal: ServerJournal
  private var readers: [Reader] = []

  /// The e-mail address of a user that is an account's identifier; nil for any other user.
  private let email: (Name) -> String?

  private let page: PageFeed?
  private let loop: Loop?
  private var publishedAt: Int64?
  private lazy var timer = loop.map { Timer(on: $0) { [unowned self] in self.publishNow() } }

  /// The facts of a journal, and for the live page what its feed has. With a loop the facts of one pause leave together.
  init(
    of journal: ServerJournal, page: PageFeed? = nil, on loop: Loop? = nil,
    email: @escaping (Name) -> String? = { _ in nil }
  ) {
    self.journal = journal
    self.page = page
    self.loop = loop
    self.email = email
    page?.onChange = { [unowned self] in self.publish() }
  }

  /// The number of connected clients.
  var readerCount: Int { readers.count }

  /// Answers a request with a stream of events: all facts from now on, or those after the one that the client names in
  /// `Last-Event-ID`, as far as they are kept. One that asks with `page` also gets the view of devices and cloud, and the
  /// requests.
  func serve(_ exchange: HTTPExchange) {
    let position = exchange.request.fields["Last-Event-ID"].flatMap { UInt64($0) } ?? journal.ring.recorded
    let stream = exchange.stream(
      fields: [HTTPField("Cache-Control", "no-store")], contentType: "text/event-stream")
    let isPage = page != nil && (try? exchange.request.queryItems()["page"]) != nil
    let reader = Reader(stream, after: position, isPage: isPage)
    stream.onReady = { [unowned self, unowned reader] in self.send(to: reader) }
    stream.onPeerEnd = { [unowned self, unowned reader] in
      reader.stream.finish()
      self.remove(reader)
    }
    stream.onClose = { [unowned self, unowned reader] in self.remove(reader) }
    readers.append(reader)
    if isPage { page?.opened() }
    // The first chunk makes the server send the head of the answer, so that the client knows that it is connected.
    stream.send(ServerSentEvent.comment("facts of zonekit \(journal.version)"))
    send(to: reader)
  }

  /// Sends the facts since the last call: now, or when the pause since then is over.
  func publish() {
    guard let loop, let publishedAt, loop.now - publishedAt < Self.pause, !readers.isEmpty else { return publishNow() }
    if timer?.isScheduled == false { timer?.schedule(at: publishedAt + Self.pause) }
  }

  private func publishNow() {
    publishedAt = loop?.now
    for reader in readers { send(to: reader) }
  }

  /// Sends facts until the client has enough to read.
  private func send(to reader: Reader) {
    reader.stream.limit = min(Self.readerLimit, Self.totalLimit / max(1, readers.count))
    while !reader.stream.isFull, sendBatch(to: reader) {}
  }

  /// Sends the next facts. Returns whether there were any.
  private func sendBatch(to reader: Reader) -> Bool {
    let reading = journal.read(after: reader.position, limit: Self.batch)
    var events: [UInt8] = []
    if reading.missed > 0 {
      events +=
        ServerSentEvent(event: "missed", data: ["event": "missed", "facts": .integer(Int64(reading.missed))]).bytes
    }
    for entry in reading.entries {
      let fact = entry.payload.fact
      let address = fact.members.first { $0.key == "user" }?.value.string.flatMap { email(Name($0)) }
      let place = address.map { [JSON.Member("account", .string($0))] } ?? []
      let data = fact.json(at: entry.at, place: place)
      events += ServerSentEvent(id: entry.number, event: fact.kind.event, data: data).bytes
      reader.position = entry.number
    }
    if var position = reader.page, let page {
      events += page.events(after: &position, limit: Self.batch)
      reader.page = position
    }
    guard !events.isEmpty else { return false }
    reader.stream.send(events)
    return true
  }

  private func remove(_ reader: Reader) {
    guard let place = readers.firstIndex(where: { $0 === reader }) else { return }
    readers.remove(at: place)
    if reader.page != nil { page?.closed() }
  }
}
