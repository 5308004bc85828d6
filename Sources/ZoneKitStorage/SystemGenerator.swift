import Glibc

/// The operating system's random source, which no copy and no restart repeats.
///
/// The standard library's own generator of this kind has no size, and therefore no address. ThreadSanitizer checks the
/// address of an `inout` argument, and ends the program at one that is not there.
package struct SystemGenerator: RandomNumberGenerator, Sendable {
  /// The number that was drawn last: the kernel writes the next one over it.
  private var number: UInt64 = 0

  /// A generator of its own; all of them draw from the same source.
  package init() {}

  /// The next eight bytes of the kernel's source. Requests of up to 256 bytes are never cut short (getentropy(3)).
  package mutating func next() -> UInt64 {
    let status = getentropy(&number, MemoryLayout<UInt64>.size)
    precondition(status == 0, "the kernel gives random numbers to every process")
    return number
  }
}
