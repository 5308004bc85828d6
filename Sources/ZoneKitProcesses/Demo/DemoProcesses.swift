import Glibc
import ZoneKitRecords

/// The demo's processes and everything that they say, in the order in which it comes.
package final class DemoProcesses {
  /// How long anything may take before the demo gives up on it, in milliseconds.
  static let patience: Int64 = 10_000

  /// One line that a process said.
  struct Line {
    /// When it came, in microseconds of a clock that never jumps.
    let heardAt: Int64
    /// What it said.
    let json: JSON

    /// The event's name.
    var event: String { json["event"]?.string ?? "" }
  }

  /// A process and what it has said.
  final class Actor {
    /// What the process is called in messages.
    let name: String
    /// The lines that it has said, oldest first.
    private(set) var lines: [Line] = []
    fileprivate private(set) var process: ChildProcess?

    /// Starts a process of this program.
    fileprivate init(_ name: String, _ arguments: [String], on waiter: EventWaiter) throws(ProcessFailure) {
      self.name = name
      process = try ChildProcess(name, arguments, on: waiter) { [unowned self] json in
        lines.append(Line(heardAt: DemoProcesses.microseconds(), json: json))
      }
    }

    /// How many lines it has said: a place to look from.
    var mark: Int { lines.count }

    /// Sends a line to the process.
    func tell(_ command: String) { process?.send(command) }

    /// The events of that name that came since a mark.
    func events(_ name: String, since mark: Int) -> [Line] { lines[mark...].filter { $0.event == name } }
  }

  private let waiter: EventWaiter
  private var actors: [Actor] = []

  /// No processes yet. Throws where the system gives no descriptors.
  init() throws(ProcessFailure) { waiter = try EventWaiter() }

  /// Starts a process of this program.
  func start(_ name: String, _ arguments: [String]) throws(ProcessFailure) -> Actor {
    let actor = try Actor(name, arguments, on: waiter)
    actors.append(actor)
    return actor
  }

  /// Waits until a process has said something that fits, at or behind a mark; throws where it does not come in time.
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

  /// Lets the processes run for that many milliseconds.
  func pass(_ time: Int64) throws(ProcessFailure) { try waiter.pass(time) }

  /// Asks again and again until the condition holds; throws where it does not hold in time.
  func until(_ what: String, _ condition: () throws(ProcessFailure) -> Bool) throws(ProcessFailure) {
    let deadline = waiter.loop.now + Self.patience
    while try !condition() {
      guard waiter.loop.now < deadline else { throw .broken("not within \(Self.patience) ms: \(what)") }
      try waiter.listen(for: 20)
    }
  }

  /// Runs a verb of this program to its end. Returns its exit code and the JSON lines that it said; `input` is its whole input.
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

  /// Ends a process with a signal and forgets it.
  func end(_ actor: Actor, with signal: Int32) {
    actor.process?.end(with: signal)
    actors.removeAll { $0 === actor }
  }

  /// Ends all processes, devices before the server that they talk to.
  func endAll() {
    for actor in actors.reversed() { actor.process?.end(with: SIGTERM) }
    actors.removeAll()
    waiter.close()
  }

  /// Microseconds of a clock that never jumps.
  static func microseconds() -> Int64 {
    var time = timespec()
    clock_gettime(CLOCK_MONOTONIC, &time)
    return Int64(time.tv_sec) * 1_000_000 + Int64(time.tv_nsec) / 1000
  }
}
