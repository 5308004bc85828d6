/// A text with its position and size.
struct TimelineLabel: Hashable, Sendable {
  /// The style of a text.
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

  /// The space that the text takes, in pixels.
  var box: TimelineBox
  /// The visible text, cut to fit.
  var text: String
  /// The whole text, for the tooltip.
  var tooltip: String
  var style: Style
  /// The alignment of the text in its box.
  var anchor: Anchor = .start

  /// An alignment of text in its box.
  enum Anchor: String, Hashable, Sendable {
    case start
    case middle
    case end
  }
}
