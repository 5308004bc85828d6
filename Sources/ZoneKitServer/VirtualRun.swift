import ZoneKitCloud
import ZoneKitMemoryStores
import ZoneKitRecords
import ZoneKitService
import ZoneKitWire

/// A server without sockets, its clock, and what its client sends.
struct VirtualRun {
  private typealias Service = InProcessServer<MemoryZoneStore, MemoryAccountStore>

  /// The clock, which moves only through the calls of the run.
  final class Clock {
    /// The milliseconds since the start.
    var milliseconds: Int64 = 0

    private static let start = WallTime(milliseconds: 1_800_000_000_000)

    var now: Moment {
      Moment(
        wall: Self.start.advanced(byMilliseconds: milliseconds), monotonic: MonotonicTime(milliseconds: milliseconds))
    }
  }

  /// The fields that a client does not choose: they say how a message travels.
  private static let ownFields: Set<String> = ["host", "content-length", "transfer-encoding", "connection"]

  /// The clock.
  let clock: Clock
  private let server: Service

  /// A server with that data. Throws why the first rows of its tables cannot be made.
  init(_ data: DeclaredData, seed: UInt64) throws(ServerFailure) {
    let clock = Clock()
    let parts = Service.Parts(
      zones: MemoryZoneStore(), accounts: MemoryAccountStore(), tables: data.tables, documents: data.documents)
    do throws(ServiceError) {
      server = try Service(parts, rows: MemoryRelationStore(), seed: seed) { clock.now }
    } catch {
      throw ServerFailure("the tables cannot be served\n\(error)")
    }
    self.clock = clock
  }

  /// The key of apps.
  var anonymousKey: String { server.anonymousKey }

  /// The key of the server's owner.
  var serviceKey: String { server.serviceKey }

  /// The faults of requests.
  var faults: FaultPlan {
    get { server.faults }
    nonmutating set { server.faults = newValue }
  }

  // MARK: Requests

  /// Sends a request and returns its answer. The clock moves to the time of a delayed one.
  func send(
    _ method: String, _ path: String, _ headers: [String: String], _ body: [UInt8]
  ) throws(VirtualCloud.NoAnswer) -> VirtualCloud.Response {
    let fields = headers.sorted { $0.key < $1.key }.filter { !Self.ownFields.contains($0.key.lowercased()) }
    let head = HTTPRequestHead(
      method: method, target: path, host: "localhost", fields: fields.map { HTTPField($0.key, $0.value) })
    var bytes: [UInt8] = []
    bytes.appendRequest(head, body: body)
    var reader = HTTPRequestReader()
    for event in reader.receive(bytes) {
      switch event {
      case .request(let request): return try answer(to: request)
      case .refused(let error):
        let reply = HTTPReply.refusal(error)
        return VirtualCloud.Response(
          HTTPResponseHead(status: reply.status).completed(by: reply, fields: []), reply.body)
      case .continueExpected: continue
      }
    }
    let reply = HTTPReply.failure(400, "the request is not complete")
    return VirtualCloud.Response(HTTPResponseHead(status: reply.status).completed(by: reply, fields: []), reply.body)
  }

  private func answer(to request: HTTPRequest) throws(VirtualCloud.NoAnswer) -> VirtualCloud.Response {
    var answer: Service.Response??
    server.receive(request) { answer = .some($0) }
    server.endTurn()
    while answer == nil, let due = server.nextDelayedAnswer { turn(at: due) }
    guard let answer else { preconditionFailure("a request is answered at the end of its turn, or later") }
    guard let (head, body) = answer else { throw VirtualCloud.NoAnswer() }
    return VirtualCloud.Response(head, body)
  }

  // MARK: Time

  /// Lets time pass, and gives the answers that are due.
  func advance(by duration: Duration) {
    let end = clock.milliseconds + max(0, duration.milliseconds)
    while let due = server.nextDelayedAnswer, due <= end { turn(at: due) }
    turn(at: end)
  }

  private func turn(at time: Int64) {
    clock.milliseconds = max(clock.milliseconds, time)
    server.answerDelayed()
    server.endTurn()
  }
}

extension VirtualCloud.Response {
  fileprivate init(_ head: HTTPResponseHead, _ body: [UInt8]) {
    var headers: [String: String] = [:]
    for field in [head.contentType.map { HTTPField("Content-Type", $0) }].compactMap(\.self) + head.fields {
      headers[field.name] = headers[field.name].map { "\($0), \(field.value)" } ?? field.value
    }
    self.init(status: head.status, headers: headers, body: body)
  }
}
