import ZoneKitCloud
import ZoneKitEventLoop
import ZoneKitRecords

/// Does work that takes long on other threads, so that no other client waits for it.
final class FairWorker<Result: Sendable> {
  /// One piece of work.
  typealias Work = @Sendable () -> Result

  private let loop: Loop?
  private let width: Int
  private var queue = FairQueue()
  private var waiting: [Ticket: (begin: () -> Work, finish: (Result) -> Void)] = [:]
  private var running = 0
  /// The number of pieces of work that wait for their turn.
  var queueLength: Int { waiting.count }
  private var lastTicket = 0
  private var isClosed = false

  /// A worker for that loop, with at most that many pieces of work at once. Without a loop the work is done at once.
  init(for loop: Loop?, width: Int = BackgroundWork.width) {
    self.loop = loop
    self.width = width
  }

  /// Does the work when it is the turn of the one who asks for it. `begin` is called right before, on the loop's thread, and
  /// `finish` with the result.
  func run(of name: Name, _ begin: @escaping () -> Work, finish: @escaping (Result) -> Void) {
    guard loop != nil else { return finish(begin()()) }
    lastTicket += 1
    waiting[Ticket(lastTicket)] = (begin, finish)
    queue.add(Ticket(lastTicket), of: name)
    goOn()
  }

  private func goOn() {
    while let loop, running < width, !isClosed, let ticket = queue.next(),
      let (begin, finish) = waiting.removeValue(forKey: ticket)
    {
      running += 1
      BackgroundWork.run(on: loop, begin()) { [weak self] result in
        self?.running -= 1
        finish(result)
        self?.goOn()
      }
    }
  }

  /// Starts no more work.
  func close() { isClosed = true }
}
