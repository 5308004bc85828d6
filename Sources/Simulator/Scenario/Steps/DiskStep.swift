/// What a device's disk does.
package enum DiskStep: Hashable, Sendable {
  /// `A's disk fails the next 2 writes`.
  case failWrites(String, Int)
  /// `A's disk is full`.
  case full(String)
  /// `A's disk has room`.
  case hasRoom(String)
  /// `A's disk takes 2s to write`.
  case slow(String, TimeSpan)

  /// The line that reads as this.
  package var text: String {
    switch self {
    case .failWrites(let device, let count): "\(device)'s disk fails \(FaultCount.next(count).text("write", "writes"))"
    case .full(let device): "\(device)'s disk is full"
    case .hasRoom(let device): "\(device)'s disk has room"
    case .slow(let device, let span): "\(device)'s disk takes \(span.text) to write"
    }
  }
}
