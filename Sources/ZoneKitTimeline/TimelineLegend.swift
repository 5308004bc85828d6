/// The legend of a picture, in lines across its width.
struct TimelineLegend {
  /// One entry: its drawing, 34 pixels wide around a point, and its label.
  private struct Entry {
    var drawing: String
    var word: String
  }

  private static let row = 22
  private static let left = 24
  private let entries: [Entry]
  private let width: Int

  init(_ layout: TimelineLayout) {
    width = layout.width
    var entries: [Entry] = []
    for kind in layout.arrowKinds {
      let line = TimelineGlyph.line(kind)
      let drawing =
        #"<path d="M-16 0H10" stroke="\#(line.color)" stroke-width="2" stroke-dasharray="\#(line.dash)" fill="none"/>"#
        + #"<path d="M16 0L8 -4V4Z" fill="\#(line.color)"/>"#
      entries.append(Entry(drawing: drawing, word: kind.rawValue))
    }
    if layout.flights.contains(where: \.dies) {
      entries.append(Entry(drawing: TimelineGlyph.cross, word: "never arrives"))
    }
    for kind in layout.markKinds {
      entries.append(Entry(drawing: TimelineGlyph.shape(kind), word: kind == .push ? "end of a push" : kind.rawValue))
    }
    for look in layout.looks {
      let line = TimelineGlyph.line(look)
      let drawing =
        #"<path d="M-14 0H14" stroke="\#(line.color)" stroke-width="\#(line.width)" stroke-dasharray="\#(line.dash)"/>"#
      entries.append(Entry(drawing: drawing, word: Self.word(look)))
    }
    self.entries = entries
  }

  private static func word(_ look: LaneCondition.Look) -> String {
    switch look {
    case .running, .background, .offline: look.rawValue
    case .cut: "link cut"
    case .dead: "no process"
    }
  }

  /// The legend drawn from that height on, and its own height.
  func drawn(from y: Int) -> (lines: [String], height: Int) {
    var lines: [String] = []
    var (x, rowY) = (Self.left, y)
    for entry in entries {
      let needed = 42 + TextMeasure.width(entry.word, size: TimelineSheet.letters) + 18
      if x + needed > width, x > Self.left { (x, rowY) = (Self.left, rowY + Self.row) }
      lines.append(#"<g transform="translate(\#(x + 17) \#(rowY + 11))">\#(entry.drawing)</g>"#)
      lines.append(#"<text x="\#(x + 40)" y="\#(rowY + 15)">\#(entry.word)</text>"#)
      x += needed
    }
    return (lines, entries.isEmpty ? 0 : rowY + Self.row - y)
  }
}
