import ZoneKitCloud
import ZoneKitEventLoop
import ZoneKitRecords
import ZoneKitTableServer

/// Hashes passwords on other threads, so that no other client waits for them.
final class PasswordWorker {
  /// What one hash is for: the record of a password, or that with which it was compared and that it equals; nil if it
  /// equals none.
  typealias Work = @Sendable () -> PasswordRecord?

  private let loop: Loop?
  private var queue = PasswordQueue()
  private var waiting: [Ticket: (work: Work, finish: (PasswordRecord?) -> Void)] = [:]
  private var running = 0
  private var lastTicket = 0
  private var isClosed = false

  /// A worker for that loop. Without a loop the work is done at once.
  init(for loop: Loop?) { self.loop = loop }

  /// Does the work when it is the turn of the one who tries. `finish` is called with its result.
  func run(of name: Name, _ work: @escaping Work, finish: @escaping (PasswordRecord?) -> Void) {
    guard loop != nil else { return finish(work()) }
    lastTicket += 1
    waiting[Ticket(lastTicket)] = (work, finish)
    queue.add(Ticket(lastTicket), of: name)
    goOn()
  }

  private func goOn() {
    while let loop, running < BackgroundWork.width, !isClosed, let ticket = queue.next(),
      let (work, finish) = waiting.removeValue(forKey: ticket)
    {
      running += 1
      BackgroundWork.run(on: loop, work) { [weak self] result in
        self?.running -= 1
        finish(result)
        self?.goOn()
      }
    }
  }

  /// Starts no more work.
  func close() { isClosed = true }
}
