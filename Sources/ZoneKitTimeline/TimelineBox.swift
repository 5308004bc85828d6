/// A rectangle, in pixels from the left and the top.
struct TimelineBox: Hashable, Sendable {
  var x: Int
  var y: Int
  var width: Int
  var height: Int

  /// Whether the two rectangles overlap. Rectangles that only share an edge do not.
  func overlaps(_ other: TimelineBox) -> Bool {
    x < other.x + other.width && other.x < x + width && y < other.y + other.height && other.y < y + height
  }
}
