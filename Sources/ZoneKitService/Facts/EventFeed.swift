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

    init(_ stream: HTTPAnswerStream, after position: UInt64) {
      self.stream = stream
      self.position = position
    }
  }

  /// The most bytes that wait for one client, and for all together, beside the last batch of each.
  static let readerLimit = 64 << 10
  static let totalLimit = 8 << 20
  /// The most facts that are sent at once.
  static let batch = 100

  private let journal: ServerJournal
  private var readers: [Reader] = []

  /// The e-mail address of a user that is an account's identifier; nil for any other user.
  private let email: (Name) -> String?

  init(of journal: ServerJournal, email: @escaping (Name) -> String? = { _ in nil }) {
    self.journal = journal
    self.email = email
  }

  /// The number of connected clients.
  var readerCount: Int { readers.count }

  /// Answers a request with a stream of events: all facts from now on, or those after the one that the client names in
  /// `Last-Event-ID`, as far as they are kept.
  func serve(_ exchange: HTTPExchange) {
    let position = exchange.request.fields["Last-Event-ID"].flatMap { UInt64($0) } ?? journal.ring.recorded
    let stream = exchange.stream(
      fields: [HTTPField("Cache-Control", "no-store")], contentType: "text/event-stream")
    let reader = Reader(stream, after: position)
    stream.onReady = { [unowned self, unowned reader] in self.send(to: reader) }
    stream.onPeerEnd = { [unowned self, unowned reader] in
      reader.stream.finish()
      self.remove(reader)
    }
    stream.onClose = { [unowned self, unowned reader] in self.remove(reader) }
    readers.append(reader)
    // The first chunk makes the server send the head of the answer, so that the client knows that it is connected.
    stream.send(ServerSentEvent.comment("facts of zonekit \(journal.version)"))
    send(to: reader)
  }

  /// Sends the facts since the last call.
  func publish() {
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
    guard !events.isEmpty else { return false }
    reader.stream.send(events)
    return true
  }

  private func remove(_ reader: Reader) { readers.removeAll { $0 === reader } }
}
