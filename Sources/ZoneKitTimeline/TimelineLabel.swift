/// A text at its place, with the room it may take.
struct TimelineLabel: Hashable, Sendable {
  /// How a text looks.
  enum Style: String, Hashable, Sendable {
    case time
    case step
    case mark
    case arrow
    case reason
    case lane
    case gap
    case broken
  }

  /// The room it takes, in pixels.
  var box: TimelineBox
  /// What is written, cut to fit.
  var text: String
  /// The whole of it, for the tooltip.
  var tooltip: String
  var style: Style
  /// Whether the text ends at the right edge of its room, or sits in the middle of it, instead of starting at the left
  /// edge.
  var anchor: Anchor = .start

  /// Where in its room a text is.
  enum Anchor: String, Hashable, Sendable {
    case start
    case middle
    case end
  }
}
