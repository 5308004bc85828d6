import ZoneKitRecords
import ZoneKitSimulator

/// The results of some seeds, which a worker process sends as a line to the process that started it.
struct SeedReport {
  /// A failed seed.
  struct Failure {
    var seed: UInt64
    /// The first violation.
    var text: String
  }

  /// The number of seeds.
  var seeds = 0
  /// The number of simulated events.
  var events = 0
  /// The simulated virtual time, in milliseconds.
  var milliseconds: Int64 = 0
  /// The number of faults of each kind.
  var faults: [String: Int] = [:]
  /// The commands that users gave.
  var coverage = Coverage()
  /// The failed seeds.
  var failures: [Failure] = []
  /// A digest over the digests of all traces, independent of their order.
  var digest: UInt64 = 0

  /// Adds the result of one seed.
  mutating func add(_ outcome: ScenarioOutcome, of story: Story) {
    seeds += 1
    events += outcome.events
    milliseconds += outcome.milliseconds
    faults.merge(story.faults, uniquingKeysWith: +)
    coverage.add(outcome.coverage)
    digest ^= UInt64(outcome.digest, radix: 16) ?? 0
    if let violation = outcome.violations.first {
      failures.append(Failure(seed: story.seed, text: violation.description))
    }
  }

  /// Adds the results of other seeds.
  mutating func add(_ other: SeedReport) {
    seeds += other.seeds
    events += other.events
    milliseconds += other.milliseconds
    faults.merge(other.faults, uniquingKeysWith: +)
    coverage.add(other.coverage)
    digest ^= other.digest
    failures += other.failures
  }
}

extension SeedReport {
  /// The report as a line of JSON, with the coverage if wanted.
  func json(withCoverage: Bool) -> JSON {
    let members = json.object ?? []
    return .object(withCoverage ? members + [JSON.Member("coverage", coverage.json)] : members)
  }

  /// The report without the coverage.
  private var json: JSON {
    [
      "seeds": .integer(Int64(seeds)), "events": .integer(Int64(events)), "virtualMilliseconds": .integer(milliseconds),
      "digest": .string(String(digest, radix: 16)),
      "faults": .object(faults.keys.sorted().map { JSON.Member($0, .integer(Int64(faults[$0] ?? 0))) }),
      "failures": .array(
        failures.map { ["seed": .string(String($0.seed)), "text": .string($0.text)] }),
    ]
  }

  /// The report in a line of JSON; nil if it contains none.
  init?(_ json: JSON) {
    guard case .integer(let seeds)? = json["seeds"] else { return nil }
    self.seeds = Int(seeds)
    if case .integer(let count)? = json["events"] { events = Int(count) }
    if case .integer(let time)? = json["virtualMilliseconds"] { milliseconds = time }
    if case .string(let text)? = json["digest"] { digest = UInt64(text, radix: 16) ?? 0 }
    for member in json["faults"]?.object ?? [] {
      if case .integer(let count) = member.value { faults[member.key] = Int(count) }
    }
    if let counts = json["coverage"], let coverage = Coverage(counts) { self.coverage = coverage }
    guard case .array(let failures)? = json["failures"] else { return }
    for failure in failures {
      guard case .string(let seed)? = failure["seed"], case .string(let text)? = failure["text"],
        let number = UInt64(seed)
      else { continue }
      self.failures.append(Failure(seed: number, text: text))
    }
  }
}
