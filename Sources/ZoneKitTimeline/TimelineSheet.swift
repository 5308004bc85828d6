/// The dimensions of a picture, in pixels unless another unit is named.
enum TimelineSheet {
  /// The right edge of the times.
  static let timeEdge = 96
  /// The left edge and the width of the steps.
  static let stepEdge = 112
  static let stepWidth = 188
  /// The position of the first lane, and the distance between two lanes.
  static let firstLane = 372
  static let gap = 250
  /// The distance of a text from its lane, and the width that this leaves between two lanes.
  static let reach = 13
  static let labelWidth = gap - 2 * reach
  /// The height of a text row, and of a line of a wrapped text.
  static let row = 18
  static let line = 16
  /// The most lines of a conflict, which has two versions of a record.
  static let conflictLines = 8
  /// The font sizes.
  static let letters = 12
  static let headLetters = 13
  /// The shortest time without events that is cut out, in milliseconds.
  static let quiet: Int64 = 10_000
  /// The height after which the names of the lanes are repeated: at the next step or gap if there is one soon,
  /// otherwise anywhere.
  static let namesAfter = 700
  static let namesWithin = 1300
  /// The height of the names of the lanes.
  static let top = 64
  /// The greatest height of a picture without its legend, unless its steps alone need more.
  static let tallest = 2_350

  /// How far an event is below the one before, given the time between them. The distance grows with the logarithm of
  /// the time, so that a millisecond is visible and ten seconds do not fill a page.
  static func advance(_ milliseconds: Int64) -> Int {
    milliseconds <= 0 ? 0 : 4 + 3 * (Int64.bitWidth - milliseconds.leadingZeroBitCount)
  }
}
