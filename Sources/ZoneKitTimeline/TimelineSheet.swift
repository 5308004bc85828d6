/// The sizes of a picture, in pixels.
enum TimelineSheet {
  /// The right edge of the moments.
  static let timeEdge = 96
  /// Where the steps of the story begin, and how wide they are.
  static let stepEdge = 112
  static let stepWidth = 188
  /// The first lane, and the room between two lanes.
  static let firstLane = 372
  static let gap = 250
  /// How far a text is from its lane, and how much room that leaves between two lanes.
  static let reach = 13
  static let labelWidth = gap - 2 * reach
  /// The heights of a text's room and of a line of a wrapped text.
  static let row = 18
  static let line = 16
  /// The sizes of the letters.
  static let letters = 12
  static let headLetters = 13
  /// How long a spell has to be to be cut out, in milliseconds.
  static let quiet: Int64 = 10_000
  /// After how much height the names of the lanes are repeated: at the next step or gap, and at last anywhere.
  static let namesAfter = 700
  static let namesWithin = 1300
  /// Where the names of the lanes begin.
  static let top = 64

  /// How far a moment is below an earlier one: by the doublings of the spell between, so that a millisecond can be seen
  /// and ten seconds do not need a page.
  static func advance(_ milliseconds: Int64) -> Int {
    milliseconds <= 0 ? 0 : 4 + 3 * (Int64.bitWidth - milliseconds.leadingZeroBitCount)
  }
}
