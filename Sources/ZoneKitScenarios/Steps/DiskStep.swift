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

  /// The values of its sentence by the labels of the slots.
  var values: SlotValues {
    switch self {
    case .failWrites(let device, let count, let keeping):
      ["device": .name(device), "number": count == 1 ? nil : .number(count), "way": .flag(keeping)]
    case .full(let device), .hasRoom(let device), .buffers(let device, _), .sync(let device): ["device": .name(device)]
    case .slow(let device, let span): ["device": .name(device), "span": .span(span)]
    }
  }
}
