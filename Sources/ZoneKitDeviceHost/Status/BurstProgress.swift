import ZoneKitRecords

/// The progress of things that arrive one by one, in bursts whose length nobody knows. The first ones of a burst are worth
/// a line each, and the others are counted.
package struct BurstProgress: Hashable, Sendable {
  /// The number of things of a burst that are not counted.
  package static let threshold = 10
  /// How long nothing arrives after a burst, in milliseconds.
  package static let quiet: Int64 = 1_000

  /// What becomes of something that arrived.
  package enum Step: Hashable, Sendable {
    /// It gets a line of its own.
    case alone
    /// It is counted, which may be worth a line about progress.
    case counted(String?)
  }

  private let kind: TransferProgress.Kind
  private var arrivals = 0
  private var endsAt = MonotonicTime(milliseconds: 0)
  private var progress: TransferProgress?

  /// The bursts of one kind.
  package init(of kind: TransferProgress.Kind) { self.kind = kind }

  /// Whether what arrives is counted now.
  package var isCounting: Bool { progress != nil }
  /// When the burst is over unless more arrives; nil if nothing is counted.
  package var nextDeadline: MonotonicTime? { isCounting ? endsAt : nil }

  /// Something arrived. Progress is worth a line every `pause` milliseconds.
  package mutating func arrived(at now: MonotonicTime, every pause: Int64) -> Step {
    if now >= endsAt, !isCounting { arrivals = 0 }
    arrivals += 1
    endsAt = now.advanced(byMilliseconds: Self.quiet)
    guard arrivals > Self.threshold else { return .alone }
    if progress == nil { progress = TransferProgress(kind, at: now) }
    return .counted(progress?.advanced(at: now, every: pause))
  }

  /// The line about what was counted, if the burst is over.
  package mutating func tick(at now: MonotonicTime) -> String? {
    guard let progress, now >= endsAt else { return nil }
    self.progress = nil
    arrivals = 0
    return progress.summary(at: endsAt.advanced(byMilliseconds: -Self.quiet)).map { "and \($0)" }
  }
}
