import Glibc
import ZoneKitRecords
import ZoneKitService

/// The demo's processes and everything they say, in the order in which it is heard.
final class DemoStage {
  /// How long anything may take before the demo gives up on it, in milliseconds.
  static let patience: Int64 = 10_000

  /// One line that a process said.
  struct Line {
    /// When it was heard, in microseconds of a clock that never jumps.
    let heardAt: Int64
    /// What it said.
    let json: JSON

    /// The event's name.
    var event: String { json["event"]?.string ?? "" }
  }

  /// A member of the cast: a process and what it said so far.
  final class Actor {
    let process: ChildProcess
    fileprivate(set) var lines: [Line] = []
    fileprivate(set) var hasEnded = false

    init(_ process: ChildProcess) { self.process = process }

    /// How many lines were heard: a place to look from.
    var mark: Int { lines.count }

    /// Says a line to the process.
    func tell(_ command: String) { process.send(command) }

    /// The events of that name heard since a mark.
    func events(_ name: String, since mark: Int) -> [Line] { lines[mark...].filter { $0.event == name } }
  }

  private(set) var actors: [Actor] = []

  /// Starts a process of this program.
  func start(_ name: String, _ words: [String]) throws(ExitFailure) -> Actor {
    let actor = Actor(try ChildProcess(name, words: words))
    actors.append(actor)
    return actor
  }

  /// Waits until somebody said something that fits, at or behind a mark; throws where it does not come in time.
  @discardableResult
  func wait(
    for what: String, from actor: Actor, since mark: Int, where fits: (Line) -> Bool
  ) throws(ExitFailure) -> Line {
    let deadline = Self.microseconds() + Self.patience * 1000
    var position = mark
    while true {
      while position < actor.lines.count {
        if fits(actor.lines[position]) { return actor.lines[position] }
        position += 1
      }
      let rest = deadline - Self.microseconds()
      guard rest > 0, !actor.hasEnded else {
        throw .checkFailed("\(actor.process.name) did not say in \(Self.patience) ms: \(what)")
      }
      listen(forMicroseconds: rest)
    }
  }

  /// Hears whatever is said within that time.
  func listen(forMicroseconds time: Int64) {
    let open = actors.filter { !$0.hasEnded }
    var polls = open.map { pollfd(fd: $0.process.descriptor, events: Int16(POLLIN), revents: 0) }
    guard poll(&polls, nfds_t(polls.count), Int32(max(1, time / 1000))) > 0 else { return }
    for (index, state) in polls.enumerated() where state.revents != 0 { hear(open[index]) }
  }

  private func hear(_ actor: Actor) {
    guard let lines = actor.process.readLines() else {
      actor.hasEnded = true
      return
    }
    let now = Self.microseconds()
    for line in lines {
      // What is not JSON is nobody's event.
      if let json = try? JSON(parsing: line) { actor.lines.append(Line(heardAt: now, json: json)) }
    }
  }

  /// Runs a verb of this program to its end and gives its exit code and the JSON lines it said; `input` is its whole input.
  func run(_ name: String, _ words: [String], input: String? = nil) throws(ExitFailure) -> (code: Int32, lines: [JSON])
  {
    let actor = Actor(try ChildProcess(name, words: words))
    if let input { actor.tell(input) }
    actor.process.endInput()
    while !actor.hasEnded { hear(actor) }
    return (actor.process.wait(), actor.lines.map(\.json))
  }

  /// Ends a process with a signal and forgets it.
  func end(_ actor: Actor, with signal: Int32) {
    actor.process.end(with: signal)
    actors.removeAll { $0 === actor }
  }

  /// Ends all processes, devices before the server that they talk to.
  func endAll() {
    for actor in actors.reversed() { actor.process.end(with: SIGTERM) }
    actors.removeAll()
  }

  /// Microseconds of a clock that never jumps.
  static func microseconds() -> Int64 {
    var time = timespec()
    clock_gettime(CLOCK_MONOTONIC, &time)
    return Int64(time.tv_sec) * 1_000_000 + Int64(time.tv_nsec) / 1000
  }
}
