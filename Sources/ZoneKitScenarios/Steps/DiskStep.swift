/// A step that acts on a device's disk.
package enum DiskStep: Hashable, Sendable {
  /// `A's disk fails the next 2 writes`; with `after keeping them` the data is written all the same.
  case failWrites(String, Int, keeping: Bool)
  /// `A's disk is full`.
  case full(String)
  /// `A's disk has room`.
  case hasRoom(String)
  /// `A's disk takes 2s to write`.
  case slow(String, TimeSpan)
  /// `A's disk buffers its writes`: writes are durable only after a sync; or `A's disk writes through`.
  case buffers(String, Bool)
  /// `A's disk syncs`: what it has buffered is durable.
  case sync(String)

  /// The line from which the parser makes this step.
  package var text: String {
    switch self {
    case .failWrites(let device, let count, let keeping):
      "\(device)'s disk fails \(FaultCount.next(count).text("write", "writes"))"
        + (keeping ? " after keeping \(count == 1 ? "it" : "them")" : "")
    case .full(let device): "\(device)'s disk is full"
    case .hasRoom(let device): "\(device)'s disk has room"
    case .slow(let device, let span): "\(device)'s disk takes \(span.text) to write"
    case .buffers(let device, let buffers): "\(device)'s disk \(buffers ? "buffers its writes" : "writes through")"
    case .sync(let device): "\(device)'s disk syncs"
    }
  }
}
