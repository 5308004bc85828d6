/// How often marks are written. A store that commits often would spend a tenth of its time on them, and a late mark does no
/// harm: it is never ahead of its zone. The commits of a quiet store are recorded at once.
struct MarkPace {
  /// The most writes in a period.
  static let limit = 32
  /// The length of a period in milliseconds: the most by which a mark is late.
  static let period: Int64 = 100

  private var began: Int64?
  private var writes = 0

  /// When marks may be written again, in milliseconds; nil for now.
  func next(at now: Int64) -> Int64? {
    guard let began, now >= began, now < began + Self.period, writes >= Self.limit else { return nil }
    return began + Self.period
  }

  /// Marks are written.
  mutating func write(at now: Int64) {
    if let began, now >= began, now < began + Self.period {
      writes += 1
    } else {
      began = now
      writes = 1
    }
  }
}
