import Glibc
import Synchronization

/// The operating system's random source, which no copy and no restart repeats.
///
/// A generator fetches several numbers with one system call, and hands out each of them once: its copies share them.
///
/// The standard library's own generator of this kind has no size, and therefore no address. ThreadSanitizer checks the
/// address of an `inout` argument, and ends the program at one that is not there.
package struct SystemGenerator: RandomNumberGenerator, Sendable {
  private let supply = Supply()

  /// A generator of its own; all of them draw from the same source.
  package init() {}

  /// The next eight bytes of the kernel's source.
  package mutating func next() -> UInt64 { supply.next() }
}

/// Numbers that were fetched and not handed out.
private final class Supply: Sendable {
  /// How many numbers one call fetches. Requests of up to 256 bytes are never cut short (getentropy(3)).
  private static let count = 32

  private let numbers = Mutex<[UInt64]>([])

  func next() -> UInt64 {
    numbers.withLock { numbers in
      if numbers.isEmpty { Self.fill(&numbers) }
      return numbers.removeLast()
    }
  }

  private static func fill(_ numbers: inout [UInt64]) {
    numbers.append(contentsOf: repeatElement(0, count: count))
    let status = numbers.withUnsafeMutableBytes { getentropy($0.baseAddress, $0.count) }
    precondition(status == 0, "the kernel gives random numbers to every process")
  }
}
