import ZoneKitDeviceHost
import ZoneKitEventLoop
import ZoneKitRecords
import ZoneKitSync
import ZoneKitTableClient

/// Prints how far a device's long transfers are, instead of a line for each record, page, notification and photo. Programs
/// read every one of these lines.
final class TransferLines {
  private let printer: DevicePrinter
  private let loop: Loop
  private var send: TransferProgress?
  private var fetch: TransferProgress?
  private var pushes = BurstProgress(of: .pushes)
  private var photos = BurstProgress(of: .photos)
  private lazy var timer = Timer(on: loop) { [unowned self] in self.tick() }
  private var now: MonotonicTime { MonotonicTime(milliseconds: loop.now) }

  init(printer: DevicePrinter, loop: Loop) {
    self.printer = printer
    self.loop = loop
  }

  /// Whether what was fetched is counted now, so that no page and no record of it gets a line.
  var isFetching: Bool { fetch != nil }

  /// Counts what a fact tells. Returns whether it is counted instead of printed. `waiting` is the number of edits that are
  /// not sent, and notifications are counted unless those of a channel are.
  func counts(_ fact: DeviceFact, waiting: @autoclosure () -> Int, hasChannel: Bool) -> Bool {
    guard !printer.wantsJSON else { return false }
    switch fact {
    case .syncStarted: beginSend(of: waiting())
    case .syncFinished, .syncFailed: end()
    case .pageMerged(_, let records, let moreComing): return merged(records, moreComing: moreComing)
    case .batchSent(_, let saves, let deletes):
      endFetch()
      // Edits that were made since the sync began are not in its count.
      if send == nil, saves + deletes >= TransferProgress.threshold { beginSend(of: waiting()) }
      return send != nil
    case .recordSent where send != nil:
      show(send?.advanced(at: now, every: printer.progressPause))
      return true
    case .pushReceived where !hasChannel: return arrived(in: \.pushes)
    case .pushReceived, .duplicatePush: return pushes.isCounting
    default: break
    }
    return false
  }

  /// Counts what a fact of the channel tells. Returns whether it is counted instead of printed.
  func counts(_ fact: ChannelFact) -> Bool {
    guard !printer.wantsJSON else { return false }
    switch fact {
    case .change: return arrived(in: \.pushes)
    case .duplicate, .ownEcho: return pushes.isCounting
    case .connectionChanged, .unknownTable, .refused, .retry: return false
    }
  }

  /// Counts the photo of a fact. Returns whether it is counted instead of printed.
  func counts(_ fact: PhotoFact) -> Bool {
    guard !printer.wantsJSON else { return false }
    switch fact {
    case .uploaded, .downloaded: return arrived(in: \.photos)
    case .setAside, .missing, .failed: return false
    }
  }

  /// Stops the timer.
  func close() { timer.close() }

  // MARK: Sends and fetches

  private func beginSend(of edits: Int) {
    guard edits >= TransferProgress.threshold else { return }
    send = TransferProgress(.send, total: edits, at: now)
  }

  private func merged(_ records: Int, moreComing: Bool) -> Bool {
    if fetch == nil, moreComing { fetch = TransferProgress(.fetch, at: now) }
    guard isFetching else { return false }
    show(fetch?.advanced(by: records, at: now, every: printer.progressPause))
    return true
  }

  private func end() {
    endFetch()
    tell("sent", send?.summary(at: now))
    send = nil
  }

  private func endFetch() {
    tell("fetched", fetch?.summary(at: now))
    fetch = nil
  }

  // MARK: Bursts

  private func arrived(in burst: ReferenceWritableKeyPath<TransferLines, BurstProgress>) -> Bool {
    switch self[keyPath: burst].arrived(at: now, every: printer.progressPause) {
    case .alone: return false
    case .counted(let line):
      show(line)
      schedule()
      return true
    }
  }

  private func tick() {
    tell("notifications", pushes.tick(at: now))
    tell("photos", photos.tick(at: now))
    schedule()
  }

  private func schedule() {
    guard let next = [pushes, photos].compactMap(\.nextDeadline?.milliseconds).min() else { return }
    timer.schedule(at: next)
  }

  private func show(_ line: String?) {
    if let line { printer.progress(line) }
  }

  private func tell(_ event: String, _ text: String?) {
    if let text { printer.print(DeviceEvent(event, [], text)) }
  }
}
