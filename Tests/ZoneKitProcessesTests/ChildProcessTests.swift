import Glibc
import Testing
import ZoneKitRecords

@testable import ZoneKitProcesses

/// Child processes on an event loop, with the system's shell as the program.
struct ChildProcessTests {
  /// What a child has said.
  private final class Lines { var all: [JSON] = [] }

  private static func start(_ script: String, on waiter: EventWaiter, into lines: Lines) throws -> ChildProcess {
    try ChildProcess("a child", program: "/bin/sh", ["-c", script], on: waiter) { lines.all.append($0) }
  }

  @Test func `lines of JSON are read, other lines are passed over`() throws {
    let (waiter, lines) = (try EventWaiter(), Lines())
    defer { waiter.close() }
    let child = try Self.start(
      #"echo '{"a":1}'; echo hello; echo; printf '{"b"'; printf ':2}\n'"#, on: waiter, into: lines)
    #expect(try waiter.wait(atMost: 20_000) { child.hasEnded } != nil)
    #expect(lines.all == [["a": 1], ["b": 2]])
    #expect(child.wait() == 0)
  }

  @Test func `lines that are sent arrive in order, until the input is ended`() throws {
    let (waiter, lines) = (try EventWaiter(), Lines())
    defer { waiter.close() }
    let child = try Self.start(#"while read -r n; do echo "[$n]"; done; exit 7"#, on: waiter, into: lines)
    child.send("1")
    child.send("2")
    #expect(try waiter.wait(atMost: 20_000) { lines.all.count == 2 } != nil)
    #expect(lines.all == [.array([1]), .array([2])])
    #expect(!child.hasEnded)
    child.endInput()
    child.send("3")
    #expect(child.wait() == 7)
    #expect(child.wait() == 7, "the exit code stays known")
  }

  @Test func `a child that is ended with a signal is gone`() throws {
    let (waiter, lines) = (try EventWaiter(), Lines())
    defer { waiter.close() }
    let child = try Self.start("echo 1; read -r n", on: waiter, into: lines)
    #expect(try waiter.wait(atMost: 20_000) { !lines.all.isEmpty } != nil)
    child.end(with: SIGKILL)
    #expect(kill(child.pid, 0) == -1)
    #expect(child.wait() == 128 + SIGKILL)
    #expect(try waiter.wait(atMost: 20_000) { child.hasEnded } != nil)
  }

  @Test func `a child ends when its output is not read`() throws {
    let waiter = try EventWaiter()
    // The shell says by which signal the writer ended: 141 is 128 + SIGPIPE.
    let lines = Lines()
    defer { waiter.close() }
    let child = try Self.start(
      #"{ while echo 1; do :; done; } | read -r n; echo '{"done":true}'"#, on: waiter, into: lines)
    #expect(try waiter.wait(atMost: 20_000) { child.hasEnded } != nil)
    #expect(lines.all == [["done": true]])
  }

  @Test func `a child that nobody waits for is ended and leaves no entry in the table of processes`() throws {
    let waiter = try EventWaiter()
    let pids = try ["exit 0", "read -r line"].map { try Self.start($0, on: waiter, into: Lines()).pid }
    waiter.close()
    #expect(pids.allSatisfy { kill($0, 0) == -1 })
  }

  @Test func `a program that is not there is no process`() throws {
    let waiter = try EventWaiter()
    defer { waiter.close() }
    let failure = #expect(throws: ProcessFailure.self) {
      try ChildProcess("nobody", program: "/nowhere/zonekit", ["serve"], on: waiter) { _ in }
    }
    #expect(failure?.kind == .unavailable)
  }

  @Test func `what does not come ends a wait without a result`() throws {
    let waiter = try EventWaiter()
    defer { waiter.close() }
    #expect(try waiter.wait(atMost: 1) { false } == nil)
    #expect(try waiter.wait(atMost: 0) { true } != nil)
  }
}
