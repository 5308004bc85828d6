import Glibc
import ZoneKitEventLoop
import ZoneKitRecords
import ZoneKitService
import ZoneKitStorage
import ZoneKitWire

/// The demo's processes and the lines that they have written, in the order of their arrival.
package final class DemoProcesses {
  /// How long the demo waits for any one condition, in milliseconds.
  static let patience: Int64 = 10_000

  /// A line that a process wrote.
  struct Line {
    /// When the line arrived, in microseconds of the monotonic clock.
    let heardAt: Int64
    /// The content of the line.
    let json: JSON

    /// The event's name.
    var event: String { json["event"]?.string ?? "" }
  }

  /// A process and the lines that it has written.
  final class Actor {
    /// The name of the process in messages.
    let name: String
    /// The lines that the process has written, oldest first.
    private(set) var lines: [Line] = []
    fileprivate private(set) var process: ChildProcess?

    /// Starts a process of this program.
    fileprivate init(_ name: String, _ arguments: [String], on waiter: EventWaiter) throws(ProcessFailure) {
      self.name = name
      process = try ChildProcess(name, arguments, on: waiter) { [unowned self] json in
        lines.append(Line(heardAt: DemoProcesses.microseconds(), json: json))
      }
    }

    /// The number of lines so far. Pass it as `since` to see only later lines.
    var mark: Int { lines.count }

    /// Sends a line to the process.
    func tell(_ command: String) { process?.send(command) }

    /// The events of that name since a mark.
    func events(_ name: String, since mark: Int) -> [Line] { lines[mark...].filter { $0.event == name } }
  }

  private let waiter: EventWaiter
  private var actors: [Actor] = []

  /// No processes yet. Throws if the system has no file descriptors left.
  init() throws(ProcessFailure) { waiter = try EventWaiter() }

  /// Starts a process of this program.
  func start(_ name: String, _ arguments: [String]) throws(ProcessFailure) -> Actor {
    let actor = try Actor(name, arguments, on: waiter)
    actors.append(actor)
    return actor
  }

  /// Waits until a process has written a line that fits, at or after a mark. Throws if none arrives in time.
  @discardableResult
  func wait(
    for what: String, from actor: Actor, since mark: Int, where fits: (Line) -> Bool
  ) throws(ProcessFailure) -> Line {
    var position = mark
    var found: Line?
    _ = try waiter.wait(atMost: Self.patience) {
      while found == nil, position < actor.lines.count {
        if fits(actor.lines[position]) { found = actor.lines[position] }
        position += 1
      }
      return found != nil || actor.process?.hasEnded ?? true
    }
    guard let found else { throw .broken("\(actor.name) did not say in \(Self.patience) ms: \(what)") }
    return found
  }

  /// Lets the processes run for `time` milliseconds.
  func pass(_ time: Int64) throws(ProcessFailure) { try waiter.pass(time) }

  /// Waits until the condition holds. Throws if it does not hold in time.
  func until(_ what: String, _ condition: () throws(ProcessFailure) -> Bool) throws(ProcessFailure) {
    let deadline = waiter.loop.now + Self.patience
    while try !condition() {
      guard waiter.loop.now < deadline else { throw .broken("not within \(Self.patience) ms: \(what)") }
      try waiter.listen(for: 20)
    }
  }

  /// Runs one command of this program to its end. Returns its exit code and the JSON lines that it wrote. `input` is
  /// its whole standard input.
  func run(_ name: String, _ arguments: [String], input: String? = nil) throws(ProcessFailure) -> (
    code: Int32, lines: [JSON]
  ) {
    var lines: [JSON] = []
    let process = try ChildProcess(name, arguments, on: waiter) { lines.append($0) }
    if let input { process.send(input) }
    process.endInput()
    while !process.hasEnded { try waiter.listen(for: Self.patience) }
    return (process.wait(), lines)
  }

  /// Sets what the server at that address does wrong from now on.
  func plan(_ faults: [JSON], at server: Address) throws(ProcessFailure) {
    try send("PUT", "/zonekit/faults", to: server, body: ["faults": .array(faults)])
  }

  /// Sends a request as a plain HTTP client, and returns the answer; null if it has no body. Throws if the server refuses
  /// it.
  @discardableResult
  func send(
    _ method: String, _ path: String, to server: Address, bearer: String? = nil, body: JSON? = nil
  ) throws(ProcessFailure) -> JSON {
    let answer = try reply(to: method, path, at: server, bearer: bearer, body: body)
    guard (200..<300).contains(answer.status) else {
      throw .refused("\(method) \(path) was answered with \(answer.status)")
    }
    return answer.body
  }

  /// Sends a request as a plain HTTP client, and returns the status of the answer with its body; null if it has none.
  func reply(
    to method: String, _ path: String, at server: Address, bearer: String? = nil, body: JSON? = nil
  ) throws(ProcessFailure) -> (status: Int, body: JSON) {
    let client = HTTPClient(address: server, loop: waiter.loop)
    defer { client.close() }
    var request = ClientRequest(getting: path)
    request.method = method
    request.body = body?.bytes() ?? []
    request.fields = [HTTPField("apikey", "demo")] + (bearer.map { [HTTPField("Authorization", "Bearer \($0)")] } ?? [])
    var result: Result<HTTPResponse, HTTPClient.Failure>?
    client.send(request) { [waiter] in
      result = $0
      waiter.report()
    }
    _ = try waiter.wait(atMost: Self.patience) { result != nil }
    switch result {
    case .success(let response)?:
      return (response.status, response.body.isEmpty ? .null : (try? JSON(parsing: response.body)) ?? .null)
    case .failure?, nil: throw .unavailable("\(method) \(path) was not answered")
    }
  }

  /// Ends a process with a signal and forgets it.
  func end(_ actor: Actor, with signal: Int32) {
    actor.process?.end(with: signal)
    actors.removeAll { $0 === actor }
  }

  /// Ends all processes. Devices end before the server to which they are connected.
  func endAll() {
    for actor in actors.reversed() { actor.process?.end(with: SIGTERM) }
    actors.removeAll()
    waiter.close()
  }

  /// The time of the monotonic clock, in microseconds.
  static func microseconds() -> Int64 { MonotonicClock.nanoseconds / 1_000 }
}
