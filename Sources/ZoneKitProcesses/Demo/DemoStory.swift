import ZoneKitEventLoop
import Glibc
import ZoneKitRecords
import ZoneKitService
import ZoneKitStorage

/// The demo: a server and devices as real processes, and steps that check how they synchronize.
package final class DemoStory {
  let processes: DemoProcesses
  let data: String
  private let script: DemoScript
  private let report: (DemoStep) -> Void
  /// Called at the end, while all processes are still running.
  private let beforeEnd: () -> Void
  private let startedAt = DemoProcesses.microseconds()
  /// The times from a save on device A until device B shows it, in milliseconds.
  package private(set) var latencies: [Double] = []

  /// Records the time from a save until another device shows it, in milliseconds.
  func note(latency: Double) { latencies.append(latency) }

  /// A demo in an empty folder. `report` is called after every step. Throws if the system has no file descriptors left.
  package init(
    _ script: DemoScript = .nannyAndMe, data: String, report: @escaping (DemoStep) -> Void,
    beforeEnd: @escaping () -> Void
  ) throws(ProcessFailure) {
    processes = try DemoProcesses()
    self.script = script
    self.data = data
    self.report = report
    self.beforeEnd = beforeEnd
  }

  /// Plays all steps. Returns false if one of them failed.
  package func play() -> Bool {
    defer {
      beforeEnd()
      processes.endAll()
    }
    do throws(ProcessFailure) {
      switch script {
      case .nannyAndMe: try playNannyAndMe()
      case .swissCoin: try playSwissCoin()
      case .dietLog: try playDietLog()
      }
      return true
    } catch {
      report(DemoStep(title: error.message, detail: "", held: false, at: elapsed))
      return false
    }
  }

  /// The processes of the demo.
  struct Cast {
    var server: DemoProcesses.Actor
    var a: DemoProcesses.Actor
    var b: DemoProcesses.Actor
    /// The address at which the server takes requests.
    let http: Address
    /// The address of the server's push socket.
    let push: Address
  }

  // MARK: Steps

  /// Milliseconds since the start of the demo.
  var elapsed: Double { Double(DemoProcesses.microseconds() - startedAt) / 1000 }

  @discardableResult
  func step<Result>(
    _ title: String, _ play: () throws -> (Result, String)
  ) throws(ProcessFailure) -> Result {
    do {
      let (result, detail) = try play()
      report(DemoStep(title: title, detail: detail, held: true, at: elapsed))
      return result
    } catch {
      throw .broken("\(title): \((error as? ProcessFailure)?.message ?? "\(error)")")
    }
  }

  /// Starts the server at those addresses, at free ones if none are named, and returns it with its addresses.
  func startServer(
    http: String = "127.0.0.1:0", push: String = "127.0.0.1:0"
  ) throws(ProcessFailure) -> (server: DemoProcesses.Actor, http: Address, push: Address) {
    let arguments = ["serve", "--data", data, "--http", http, "--push", push]
    let server = try processes.start("the server", arguments)
    let ready = try processes.wait(for: "ready", from: server, since: 0) { $0.event == "ready" }
    guard let http = try? Address(parsing: ready.json["http"]?.string ?? ""),
      let push = try? Address(parsing: ready.json["push"]?.string ?? "")
    else { throw .broken("the server did not say where it listens") }
    return (server, http, push)
  }

  /// Checks that devices A and B hold the same records as the cloud.
  func compare() throws(ProcessFailure) -> (Void, String) {
    let diff = try processes.run("diff", ["diff", "A", "B", "--data", data, "--json"])
    let end = diff.lines.last ?? .null
    try expect(diff.code == 0, "diff ended with \(diff.code): \(diff.lines.map { $0.text() }.joined(separator: " "))")
    return ((), "\(end["compared"]?.integer ?? 0) records compared, none differs")
  }
}
