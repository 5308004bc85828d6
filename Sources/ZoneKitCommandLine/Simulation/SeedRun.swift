import Glibc
import ZoneKitProcesses
import ZoneKitRecords
import ZoneKitService
import ZoneKitSimulator

/// Simulates seeds, alone or with worker processes, and prints the progress.
struct SeedRun {
  private let swarm: Swarm
  private let seeds: ClosedRange<UInt64>
  private let words: Invocation
  private let jobs: Int
  private let failureLimit: Int
  private let clock = ContinuousClock()

  init(swarm: Swarm, seeds: ClosedRange<UInt64>, words: Invocation) throws(ExitFailure) {
    self.swarm = swarm
    self.seeds = seeds
    self.words = words
    jobs = try words.number("--jobs", in: 1...256, default: 1)
    failureLimit = try words.number("--failures", in: 1...1_000_000, default: 1)
  }

  func run() throws(ExitFailure) -> Int32 {
    if let share = words.value("--worker") { return try work(share) }
    let start = clock.now
    let (report, signal) = try EndingSignals.held { () throws(ExitFailure) in
      (try jobs == 1 ? alone() : together(), EndingSignals.pending)
    }
    let seconds = Self.seconds(clock.now - start)
    if !words.wantsJSON { conclude(report, seconds: seconds) }
    // A user who ends the run does not wait until a story is short.
    let story =
      signal != nil
      ? nil
      : try report.failures.first.flatMap { (failure) throws(ExitFailure) in
        try FailureReport(swarm, seed: failure.seed, words)
      }
    if words.wantsJSON { printJSON(report, story, seconds: seconds) }
    if !words.wantsJSON, let story { for line in [""] + story.lines { Console.print(line) } }
    guard let signal else { return report.failures.isEmpty ? 0 : 1 }
    throw .interrupted(by: signal, "interrupted after \(report.seeds) of \(seeds.count.counted("seed"))")
  }

  // MARK: Playing

  private func play(_ seed: UInt64, into report: inout SeedReport) throws(ExitFailure) {
    let story = swarm.story(seed: seed)
    do {
      let outcome = try story.play(keepsHistories: story.isOnFiles)
      report.add(outcome, of: story)
      guard outcome.violations.isEmpty, let text = try FileReplay.finding(outcome.histories) else { return }
      report.failures.append(SeedReport.Failure(seed: seed, text: text))
    } catch {
      throw .unavailable("seed \(seed): \(error)")
    }
  }

  private func alone() throws(ExitFailure) -> SeedReport {
    var report = SeedReport()
    var progress = ProgressLine("seeds", of: seeds.count)
    defer { progress.clear() }
    for seed in seeds {
      let known = report.failures.count
      try play(seed, into: &report)
      announce(report.failures[known...], &progress)
      if report.failures.count >= failureLimit || EndingSignals.pending != nil { break }
      tell(report, &progress)
    }
    return report
  }

  /// Simulates a worker's share of the seeds, and prints a line for every few of them.
  private func work(_ share: String) throws(ExitFailure) -> Int32 {
    let numbers = share.split(separator: "/").compactMap { UInt64($0) }
    guard numbers.count == 2, numbers[0] < numbers[1] else {
      throw .usage("--worker takes J/N with J from 0 below N, not \(share)")
    }
    var report = SeedReport()
    for seed in seeds where (seed - seeds.lowerBound) % numbers[1] == numbers[0] {
      try play(seed, into: &report)
      guard report.seeds >= 20 || !report.failures.isEmpty else { continue }
      Console.print(report.json(withCoverage: true).text())
      report = SeedReport()
    }
    if report.seeds > 0 { Console.print(report.json(withCoverage: true).text()) }
    return 0
  }

  private func together() throws(ExitFailure) -> SeedReport {
    do throws(ProcessFailure) {
      return try gather()
    } catch {
      throw ExitFailure(error)
    }
  }

  /// Lets worker processes simulate the seeds, and adds up their reports.
  private func gather() throws(ProcessFailure) -> SeedReport {
    let waiter = try EventWaiter()
    defer { waiter.close() }
    var report = SeedReport()
    var progress = ProgressLine("seeds", of: seeds.count)
    defer { progress.clear() }
    var workers: [ChildProcess] = []
    for job in 0..<jobs {
      let arguments =
        [
          "simulate", "--seeds", "\(seeds.lowerBound)..\(seeds.upperBound)", "--worker", "\(job)/\(jobs)",
          "--devices", "\(swarm.devices)", "--minutes", "\(swarm.minutes)",
          "--troubles", swarm.troubles.map(\.rawValue).sorted().joined(separator: ","),
        ] + words.apps
      let worker = try ChildProcess("worker \(job)", arguments, on: waiter) { line in
        guard let part = SeedReport(line) else { return }
        report.add(part)
        announce(part.failures[...], &progress)
      }
      workers.append(worker)
    }
    defer { for worker in workers { worker.end(with: SIGTERM) } }
    while workers.contains(where: { !$0.hasEnded }), report.failures.count < failureLimit {
      try waiter.listen(for: 200)
      // A terminal sends the signal to the workers too, which then end without their last seeds.
      if EndingSignals.pending != nil { break }
      for worker in workers where worker.hasEnded {
        let code = worker.wait()
        guard code == 0 else { throw .unavailable("\(worker.name) ended with \(code)") }
      }
      tell(report, &progress)
    }
    report.failures.sort { $0.seed < $1.seed }
    return report
  }

  // MARK: Output

  /// Prints failures immediately if several are wanted, without waiting for the last seed.
  private func announce(_ failures: ArraySlice<SeedReport.Failure>, _ progress: inout ProgressLine) {
    guard failureLimit > 1, !failures.isEmpty else { return }
    progress.clear()
    for failure in failures { Console.complain("seed \(failure.seed): \(failure.text)") }
  }

  private static func seconds(_ duration: Duration) -> Double {
    Double(duration.components.seconds) + Double(duration.components.attoseconds) / 1e18
  }

  private func tell(_ report: SeedReport, _ progress: inout ProgressLine) {
    progress.show(report.seeds, report.failures.isEmpty ? "" : report.failures.count.counted("failure"))
  }

  private func printJSON(_ report: SeedReport, _ story: FailureReport?, seconds: Double) {
    var members = report.json(withCoverage: words.has("--coverage")).object ?? []
    members.append(JSON.Member("wallMilliseconds", .integer(Int64((seconds * 1_000).rounded()))))
    if let story { members.append(JSON.Member("story", story.json)) }
    Console.print(JSON.object(members).text())
  }

  private func conclude(_ report: SeedReport, seconds: Double) {
    for failure in report.failures { Console.print("seed \(failure.seed): \(failure.text)") }
    let rows = report.faults.keys.sorted().map { ["  \($0)", "\(report.faults[$0] ?? 0)"] }
    if !rows.isEmpty { Console.print("troubles\n" + TextTable(rows).text(within: Console.columns)) }
    if words.has("--coverage") { for line in report.coverage.lines { Console.print(line) } }
    Console.print(
      "\(report.seeds.counted("seed")), \(report.failures.count.counted("failure")), \(report.events.counted("event")) in \(Int(seconds * 1_000)) ms "
        + "(\(Int(Double(report.events) / max(seconds, 0.001))) a second), \(report.milliseconds / 60_000) virtual minutes, "
        + "digest \(String(report.digest, radix: 16))")
  }
}
