import ZoneKitRecords
import ZoneKitTables

/// The photos of a device on their way: those that its user gave to rows go to the service, and those that other devices
/// gave come from it. It is a machine: events go in, effects come out.
///
/// What is to be transferred follows from what the store holds: queued photos, and the paths that rows name. So it goes on
/// after the end of the process at any moment, and a photo that was replaced or removed meanwhile is forgotten. A few
/// transfers are under way at a time, because most of a transfer is waiting for the disk of the service. A row names a
/// photo only after its object is stored.
package struct PhotoQueue: Sendable {
  /// What a device's store says about photos.
  package struct Sight: Hashable, Sendable {
    /// The photos that users gave to rows that are not deleted.
    package var queued: [RecordID: QueuedPhoto] = [:]
    /// The paths that rows name, without those of deleted rows.
    package var named: [RecordID: String] = [:]
    /// The photos whose bytes are on the device.
    package var stored: Set<PhotoName> = []

    /// A store without photos.
    package init() {}
  }

  /// An instruction to the driver.
  package enum Effect: Hashable, Sendable {
    /// Set the record's photo to that path with an ordinary edit and remove the queued photo, in one transaction.
    case name(RecordID, path: String)
    /// Store the queued photo of the record, which the service refused.
    case setAside(RecordID, QueuedPhoto)
    /// Keep the bytes that came as the photo of that name. Those of a transfer without this effect are dropped.
    case keep(PhotoName)
    /// Record a fact.
    case fact(PhotoFact)
  }

  /// The waiting times after failures are those of a sync.
  private static let firstPause: Int64 = 1_000
  private static let longestPause: Int64 = 300_000
  /// The most transfers that are under way at a time.
  package static let transferLimit = 4

  /// Whether no transfer starts for the time being.
  package var isHeld = false
  /// The transfers under way, in the order in which they started.
  package private(set) var current: [PhotoTransfer] = []
  /// What is to be transferred, uploads first, in the order in which users gave the photos.
  package private(set) var wanted: [PhotoTransfer] = []
  /// The paths that the service refuses, with its reasons.
  package private(set) var missing: [String: String] = [:]
  /// How often the transfer of a path has failed. Others are tried before it.
  private var failures: [String: Int] = [:]
  private var backoff = Backoff(first: PhotoQueue.firstPause, limit: PhotoQueue.longestPause)
  private var pausedUntil: MonotonicTime?

  /// A queue without photos.
  package init() {}

  /// Whether nothing is to be transferred.
  package var isDone: Bool { wanted.isEmpty }

  /// The number of photos that wait to be uploaded.
  package var uploads: Int {
    wanted.count { if case .upload = $0 { true } else { false } }
  }

  /// The number of photos that wait to be downloaded.
  package var downloads: Int { wanted.count - uploads }

  /// When the next transfer may start; nil if none waits for a time.
  package var nextDeadline: MonotonicTime? { isHeld || isFull || isAllUnderWay ? nil : pausedUntil }

  private var isFull: Bool { current.count >= Self.transferLimit }

  private var isAllUnderWay: Bool { wanted.allSatisfy { isUnderWay($0.path) } }

  private func isUnderWay(_ path: String) -> Bool { current.contains { $0.path == path } }

  // MARK: Events

  /// The store was read, for an account; nil if the device has none.
  package mutating func seen(_ sight: Sight, account: UUID?, photos: TablePhotos) {
    guard let account else {
      self = PhotoQueue()
      return
    }
    let given = sight.queued.filter { $0.value.refusal == nil }.sorted {
      ($0.value.since, $0.key) < ($1.value.since, $1.key)
    }
    wanted = given.compactMap { record, photo in
      photos.path(of: photo.name, for: record, account: account).map { .upload(record, photo, path: $0) }
    }
    // Two rows, such as a person and a profile, may name one photo.
    let paths = Set(sight.named.values)
    missing = missing.filter { paths.contains($0.key) }
    for path in paths.map({ Name($0) }).sorted().map(\.text) where missing[path] == nil {
      guard let name = PhotoName(path: path, of: account), !sight.stored.contains(name) else { continue }
      wanted.append(.download(name, path: path))
    }
    failures = failures.filter { failure in wanted.contains { $0.path == failure.key } }
  }

  /// The transfer that may start now; nil if there is none. Those that failed come after the others.
  package func next(at now: MonotonicTime) -> PhotoTransfer? {
    guard !isHeld, !isFull, !isPaused(at: now) else { return nil }
    // An object is never on its way twice, also if its photo was replaced and given again meanwhile.
    let idle = wanted.lazy.filter { !isUnderWay($0.path) }
    return idle.min { failures[$0.path, default: 0] < failures[$1.path, default: 0] }
  }

  private func isPaused(at now: MonotonicTime) -> Bool { pausedUntil.map { now < $0 } ?? false }

  /// A transfer was started.
  package mutating func began(_ transfer: PhotoTransfer) { current.append(transfer) }

  /// A transfer under way was given up, because its access token was refused.
  package mutating func abandoned(_ transfer: PhotoTransfer) { current.removeAll { $0 == transfer } }

  /// All transfers under way were given up, because the link or the session is lost.
  package mutating func abandonedAll() { current = [] }

  /// There is a new link. What waits after a failure is tried at once.
  package mutating func linkRestored() {
    backoff.reset()
    pausedUntil = nil
  }

  /// A deadline has passed.
  package mutating func tick(at now: MonotonicTime) {
    // Without this a queue that cannot start because of something else would be due without an end.
    if let end = pausedUntil, end <= now { pausedUntil = nil }
  }

  /// The user asks for the photos at those paths again; for all if nil.
  package mutating func retried(_ paths: [String]?) {
    missing = paths.map { paths in missing.filter { !paths.contains($0.key) } } ?? [:]
    linkRestored()
  }

  /// The outcome of a transfer under way arrived. That of a photo which was replaced or removed meanwhile changes
  /// nothing.
  package mutating func answered(
    _ transfer: PhotoTransfer, _ outcome: ObjectOutcome, at now: MonotonicTime,
    using generator: inout some RandomNumberGenerator
  ) -> [Effect] {
    guard current.contains(transfer) else { return [] }
    abandoned(transfer)
    switch outcome {
    case .stored, .received:
      // A transfer that began before another one failed says nothing about the service after that.
      if !isPaused(at: now) { linkRestored() }
    case .refused(let refusal) where refusal.isPassing:
      return failed(
        transfer, refusal.message, atLeast: Int64(refusal.retryAfter ?? 0) * 1_000, at: now, using: &generator)
    case .failed(let reason): return failed(transfer, reason, atLeast: 0, at: now, using: &generator)
    case .refused, .unreadable: break
    }
    guard let place = wanted.firstIndex(of: transfer) else { return [] }
    wanted.remove(at: place)
    failures[transfer.path] = nil
    return done(transfer, outcome)
  }

  private mutating func done(_ transfer: PhotoTransfer, _ outcome: ObjectOutcome) -> [Effect] {
    switch (transfer, outcome) {
    case (.upload(let record, _, let path), .stored):
      return [.name(record, path: path), .fact(.uploaded(record, path: path))]
    case (.upload(let record, var photo, _), _):
      let reason = outcome.reason ?? "the service answered an upload with bytes"
      photo.refusal = reason
      return [.setAside(record, photo), .fact(.setAside(record, reason: reason))]
    case (.download(let name, let path), .received(let hash)) where PhotoName(hash: hash) == name:
      return [.keep(name), .fact(.downloaded(path: path))]
    case (.download(_, let path), _):
      let reason = outcome.reason ?? "the bytes that came are not those of the photo"
      missing[path] = reason
      return [.fact(.missing(path: path, reason: reason))]
    }
  }

  private mutating func failed(
    _ transfer: PhotoTransfer, _ reason: String, atLeast least: Int64, at now: MonotonicTime,
    using generator: inout some RandomNumberGenerator
  ) -> [Effect] {
    // Transfers that fail together, such as those of one lost link, are one failure of the service.
    let drawn = isPaused(at: now) ? 0 : backoff.next(using: &generator)
    let end = max(now.advanced(byMilliseconds: max(drawn, least)), pausedUntil ?? now)
    pausedUntil = end
    failures[transfer.path, default: 0] += 1
    return [.fact(.failed(path: transfer.path, reason: reason, retryIn: end.milliseconds - now.milliseconds))]
  }
}

extension ObjectOutcome {
  /// Why nothing was transferred; nil if something was.
  fileprivate var reason: String? {
    switch self {
    case .stored, .received: nil
    case .refused(let refusal): refusal.message
    case .failed(let reason), .unreadable(let reason): reason
    }
  }
}

extension ServiceRefusal {
  /// Whether the same request may succeed later.
  fileprivate var isPassing: Bool { status >= 500 || status == 408 || status == 429 }

  /// Whether the access token was refused, in the words of a service for objects too.
  var isOfToken: Bool { status == 401 || status == 403 && message.lowercased().contains("jwt") }
}
