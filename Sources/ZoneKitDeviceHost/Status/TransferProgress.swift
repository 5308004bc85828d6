import ZoneKitRecords

/// How far a long transfer is, as one line with a count and a rate; with a bar and the time that is left, too, if its end
/// is known.
package struct TransferProgress: Hashable, Sendable {
  /// What is transferred.
  package enum Kind: Hashable, Sendable {
    /// Records, to the cloud.
    case send
    /// Records, from the cloud.
    case fetch
    /// Notifications that something changed.
    case pushes
    /// Photos, in either direction.
    case photos

    fileprivate var words: (doing: String, noun: String, done: String) {
      switch self {
      case .send: ("sending", "record", "sent")
      case .fetch: ("fetching", "record", "fetched")
      case .pushes: ("receiving", "notification", "received")
      case .photos: ("transferring", "photo", "transferred")
      }
    }
  }

  /// The number of waiting records from which on a send is long. Of a shorter one each record is worth a line.
  package static let threshold = 30
  private static let barWidth = 20

  private let kind: Kind
  /// The number that is to be transferred; nil if it is not known.
  private let total: Int?
  private let startedAt: MonotonicTime
  private var shownAt: MonotonicTime
  /// The number that was transferred.
  private var count = 0

  /// A transfer that begins, of that many things if the number is known.
  package init(_ kind: Kind, total: Int? = nil, at now: MonotonicTime) {
    self.kind = kind
    self.total = total
    startedAt = now
    shownAt = now
  }

  /// Things were transferred. Returns a line every `pause` milliseconds, and one for the last thing.
  package mutating func advanced(by number: Int = 1, at now: MonotonicTime, every pause: Int64) -> String? {
    count += number
    guard count == total || now >= shownAt.advanced(byMilliseconds: pause) else { return nil }
    shownAt = now
    return line(at: now)
  }

  /// `sending [##########----------] 50%, 3000 of 6000, 850/s, 4 s left`, or `fetching: 3000 records, 850/s`.
  private func line(at now: MonotonicTime) -> String {
    let words = kind.words
    let rate = rate(at: now)
    guard let total else {
      return "\(words.doing): \(count.counted(words.noun))" + (rate.map { ", \($0)/s" } ?? "")
    }
    // Edits during the send add to it.
    let whole = max(total, count)
    let filled = count * Self.barWidth / whole
    let bar = String(repeating: "#", count: filled) + String(repeating: "-", count: Self.barWidth - filled)
    let head = "\(words.doing) [\(bar)] \(count * 100 / whole)%, \(count) of \(whole)"
    guard let rate else { return head }
    return "\(head), \(rate)/s, \(Self.text(seconds: (whole - count + rate - 1) / rate)) left"
  }

  /// `6000 records sent in 7 s`; nil if nothing was transferred.
  package func summary(at now: MonotonicTime) -> String? {
    guard count > 0 else { return nil }
    let words = kind.words
    return "\(count.counted(words.noun)) \(words.done) in \(Self.text(seconds: Int(elapsed(at: now) / 1_000)))"
  }

  /// The number a second; nil before it can be said.
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
