import Glibc
import ZoneKitThreads

/// Keeps file descriptors back for the files of a store, so that connections cannot take them all.
///
/// It holds descriptors of the root folder, which is there also where no device is. A file that is opened takes over as
/// many as it needs, and they return when it
/// is closed.
package final class FileReserve: Sendable {
  private struct State {
    var held: [Int32] = []
    var lent = 0
  }

  private let size: Int
  private let state = Lock(State())

  /// A reserve of that many descriptors, or of as many as there are.
  package init(size: Int) {
    self.size = size
    state.withLock { fill(&$0) }
  }

  deinit {
    state.withLock { state in
      for descriptor in state.held { close(descriptor) }
    }
  }

  /// Descriptors that a file takes over while it is open.
  final class Loan: Sendable {
    private let reserve: FileReserve
    private let count: Int

    fileprivate init(of count: Int, from reserve: FileReserve) {
      self.count = count
      self.reserve = reserve
      reserve.lend(count)
    }

    deinit { reserve.takeBack(count) }
  }

  /// Frees that many descriptors until the loan is dropped.
  func loan(_ count: Int) -> Loan { Loan(of: count, from: self) }

  private func lend(_ count: Int) {
    state.withLock { state in
      state.lent += count
      while state.held.count > max(0, size - state.lent), let descriptor = state.held.popLast() { close(descriptor) }
    }
  }

  private func takeBack(_ count: Int) {
    state.withLock { state in
      state.lent -= count
      fill(&state)
    }
  }

  private func fill(_ state: inout State) {
    while state.held.count < size - state.lent {
      // A copy of a descriptor costs a tenth of another opening, and a server makes a thousand when it starts.
      let descriptor = state.held.last.map { fcntl($0, F_DUPFD_CLOEXEC, 0) } ?? open("/", O_RDONLY | O_CLOEXEC)
      guard descriptor >= 0 else { return }
      state.held.append(descriptor)
    }
  }
}
