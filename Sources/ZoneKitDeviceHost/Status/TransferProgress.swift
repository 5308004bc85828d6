import ZoneKitRecords

/// How far a long send is, as one line with a bar, a count, a rate and the time that is left.
package struct TransferProgress: Hashable, Sendable {
  /// The number of waiting records from which on a send is long. Of a shorter one each record is worth a line.
  package static let threshold = 30
  private static let barWidth = 20

  private let total: Int
  private let startedAt: MonotonicTime
  private var shownAt: MonotonicTime
  /// The number of records that were sent.
  private var count = 0

  /// A send of that many records that begins.
  package init(total: Int, at now: MonotonicTime) {
    self.total = total
    startedAt = now
    shownAt = now
  }

  /// A record was sent. Returns a line every `pause` milliseconds, and one for the last record.
  package mutating func sent(at now: MonotonicTime, every pause: Int64) -> String? {
    count += 1
    guard count == total || now >= shownAt.advanced(byMilliseconds: pause) else { return nil }
    shownAt = now
    return line(at: now)
  }

  /// `sending [##########----------] 50%, 3000 of 6000, 850/s, 4 s left`.
  private func line(at now: MonotonicTime) -> String {
    // Edits during the send add to it.
    let whole = max(total, count)
    let filled = count * Self.barWidth / whole
    let bar = String(repeating: "#", count: filled) + String(repeating: "-", count: Self.barWidth - filled)
    let head = "sending [\(bar)] \(count * 100 / whole)%, \(count) of \(whole)"
    guard let rate = rate(at: now) else { return head }
    return "\(head), \(rate)/s, \(Self.text(seconds: (whole - count + rate - 1) / rate)) left"
  }

  /// `6000 records sent in 7 s`; nil if none was sent.
  package func summary(at now: MonotonicTime) -> String? {
    count == 0 ? nil : "\(count.counted("record")) sent in \(Self.text(seconds: Int(elapsed(at: now) / 1_000)))"
  }

  /// The records a second; nil before it can be said.
  private func rate(at now: MonotonicTime) -> Int? {
    let time = elapsed(at: now)
    guard time > 0 else { return nil }
    let rate = Int64(count) * 1_000 / time
    return rate > 0 ? Int(rate) : nil
  }

  private func elapsed(at now: MonotonicTime) -> Int64 { now.milliseconds - startedAt.milliseconds }

  private static func text(seconds: Int) -> String {
    seconds < 60 ? "\(seconds) s" : "\(seconds / 60) min \(seconds % 60) s"
  }
}
