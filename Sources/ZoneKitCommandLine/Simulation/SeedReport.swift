import ZoneKitRecords
import ZoneKitSimulator

/// The results of some seeds: a line from a worker to the process that started it.
struct SeedReport {
  /// A seed that broke a promise.
  struct Failure {
    var seed: UInt64
    /// The first broken promise.
    var text: String
  }

  /// How many seeds were played.
  var seeds = 0
  /// How many things arrived or fell due.
  var events = 0
  /// How much virtual time passed, in milliseconds.
  var milliseconds: Int64 = 0
  /// How often each kind of trouble came.
  var faults: [String: Int] = [:]
  /// The seeds that broke a promise.
  var failures: [Failure] = []
  /// A digest over the digests of all traces, which does not depend on their order.
  var digest: UInt64 = 0

  /// Adds what came of one seed.
  mutating func add(_ outcome: ScenarioOutcome, of story: Story) {
    seeds += 1
    events += outcome.events
    milliseconds += outcome.milliseconds
    faults.merge(story.faults, uniquingKeysWith: +)
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
    digest ^= other.digest
    failures += other.failures
  }
}

extension SeedReport {
  /// As a line.
  var json: JSON {
    [
      "seeds": .integer(Int64(seeds)), "events": .integer(Int64(events)), "virtualMilliseconds": .integer(milliseconds),
      "digest": .string(String(digest, radix: 16)),
      "faults": .object(faults.keys.sorted().map { JSON.Member($0, .integer(Int64(faults[$0] ?? 0))) }),
      "failures": .array(
        failures.map { ["seed": .string(String($0.seed)), "text": .string($0.text)] }),
    ]
  }

  /// From a line; nil where it is none.
  init?(_ json: JSON) {
    guard case .integer(let seeds)? = json["seeds"] else { return nil }
    self.seeds = Int(seeds)
    if case .integer(let count)? = json["events"] { events = Int(count) }
    if case .integer(let time)? = json["virtualMilliseconds"] { milliseconds = time }
    if case .string(let text)? = json["digest"] { digest = UInt64(text, radix: 16) ?? 0 }
    for member in json["faults"]?.object ?? [] {
      if case .integer(let count) = member.value { faults[member.key] = Int(count) }
    }
    guard case .array(let failures)? = json["failures"] else { return }
    for failure in failures {
      guard case .string(let seed)? = failure["seed"], case .string(let text)? = failure["text"],
        let number = UInt64(seed)
      else { continue }
      self.failures.append(Failure(seed: number, text: text))
    }
  }
}
