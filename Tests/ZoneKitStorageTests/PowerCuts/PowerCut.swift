import Glibc

/// A power cut at one moment of a story.
struct PowerCut: CustomStringConvertible {
  /// The number of the event before which the power was cut.
  let point: Int
  /// The last step whose success was reported; -1 for none.
  let acknowledged: Int
  /// What survives of that which was not synced.
  let survival: Survival

  var description: String { "after step \(acknowledged), before event \(point), \(survival) survives" }

  /// How many moments and cuts were tried, and what was found.
  struct Report {
    private(set) var points = 0
    private(set) var cuts = 0
    /// The first problems.
    private(set) var problems: [String] = []

    fileprivate mutating func countPoint() { points += 1 }

    fileprivate mutating func add(_ cut: PowerCut, _ problem: String?) {
      cuts += 1
      if let problem { problems.append("\(cut): \(problem)") }
    }
  }

  /// The problems after which no more are looked for.
  private static let problemLimit = 3

  /// How often what was not synced survives by chance at each moment: as the environment variable `ZONEKIT_POWER_CUTS`
  /// says, otherwise `usual` times.
  static func chances(usual: Int) -> Int { getenv("ZONEKIT_POWER_CUTS").flatMap { Int(String(cString: $0)) } ?? usual }

  /// Cuts the power at every moment of a story at which something is about to be synced or was just reported, and at
  /// its end. At each of them, what was not synced is lost, kept, and kept in part as often as `chances` says. Cuts with
  /// the same result are tried once. `check` gets the folder with what is left, and returns what is wrong with it.
  static func atEverySync(
    of recorder: DiskRecorder, chances: Int, check: (PowerCut, String) throws -> String?
  ) throws -> Report {
    var disk = Disk(root: recorder.root)
    var acknowledged = -1
    var report = Report()
    var seen: Set<[Int]> = []
    func cut(_ point: Int) throws {
      report.countPoint()
      let seeds = (0..<chances).map { Survival.chance(seed: UInt64(point * chances + $0)) }
      for survival in disk.isSynced ? [.everything] : [.nothing, .everything] + seeds {
        let remains = disk.remains(survival)
        guard report.problems.count < problemLimit, seen.insert([acknowledged, remains.fingerprint]).inserted else {
          continue
        }
        let cut = PowerCut(point: point, acknowledged: acknowledged, survival: survival)
        let target = try TemporaryFolder(inMemory: "cut")
        try remains.write(to: target.path)
        report.add(cut, try check(cut, target.path))
      }
    }
    for (point, event) in recorder.events.enumerated() {
      if event.isSync { try cut(point) }
      disk.take(event)
      if case .acknowledged(let step) = event {
        acknowledged = step
        try cut(point + 1)
      }
    }
    return report
  }
}
