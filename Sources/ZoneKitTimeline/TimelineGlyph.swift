/// The shapes, colours and dashes of a timeline. Kinds differ in shape or dashes too, so that none depends on its
/// colour alone.
///
/// The colours are those of Okabe and Ito, which are distinct for any colour vision; the lighter ones are darkened.
enum TimelineGlyph {
  static let ink = "#24292f"
  static let quiet = "#57606a"
  static let red = "#b3261e"

  /// The shape of a mark around the origin, at most 7 pixels in each direction.
  static func shape(_ kind: Mark.Kind) -> String {
    switch kind {
    case .step: path("M-6 0H6", stroke: quiet)
    case .edit: path("M-5 -5H5V5H-5Z", fill: "#0072b2")
    case .merge: path("M0 -7L7 0L0 7L-7 0Z", fill: "#00795a")
    case .conflict: path("M-7 -6L0 0L-7 6ZM7 -6L0 0L7 6Z", fill: "#b34700")
    case .sync: circle(5, fill: "#fff", stroke: "#0072b2")
    case .crash: path("M-6 -6L6 6M6 -6L-6 6", stroke: red, width: 3)
    case .start: path("M-5 -7L7 0L-5 7Z", fill: "#00795a")
    case .link: path("M-7 0H-3M3 0H7M-3 -5V5M3 -5V5", stroke: ink)
    case .life: circle(6, fill: "#fff", stroke: ink) + path("M0 -6A6 6 0 0 1 0 6Z", fill: ink)
    case .account: circle(3, y: -3, fill: ink, stroke: ink) + path("M-6 7A6 6 0 0 1 6 7Z", fill: ink)
    case .clock: circle(6, fill: "#fff", stroke: ink) + path("M0 -4V0H3", stroke: ink, width: 1)
    case .fault:
      path("M0 -7L7 6H-7Z", fill: "#f0b400", stroke: ink, width: 1) + path("M0 -3V2M0 3V5", stroke: ink, width: 1)
    case .push: path("M-7 -5H7L0 6Z", fill: "#b34700")
    case .commit: circle(5, fill: "#0072b2", stroke: "#fff")
    case .kept: path("M-6 0L-2 5L6 -5", stroke: "#00795a", width: 3)
    case .broken: circle(9, fill: red, stroke: red) + path("M-4 -4L4 4M4 -4L-4 4", stroke: "#fff", width: 3)
    case .fact: circle(2, fill: quiet, stroke: quiet)
    }
  }

  /// The colour and the dashes of an arrow of that kind.
  static func line(_ kind: Arrow.Kind) -> (color: String, dash: String) {
    switch kind {
    case .request: ("#0072b2", "none")
    case .answer: ("#0072b2", "6 4")
    case .notice: ("#00795a", "10 3 2 3")
    case .push: ("#b34700", "12 4")
    case .hello: ("#8250a0", "2 3")
    }
  }

  /// The colour, the width in pixels and the dashes of a lane's line.
  static func line(_ look: LaneCondition.Look) -> (color: String, width: Int, dash: String) {
    switch look {
    case .running: ("#8c959f", 4, "none")
    case .background: ("#8c959f", 4, "2 6")
    case .cut: (red, 1, "10 3 2 3")
    case .offline: ("#8c959f", 1, "8 5")
    case .dead: ("#8c959f", 1, "1 6")
    }
  }

  /// A white disc behind a shape that hides the line there.
  static let ground = ##"<circle cx="0" cy="0" r="8" fill="#fff"/>"##

  /// The cross at the end of an arrow that never arrives.
  static let cross = path("M-5 -5L5 5M5 -5L-5 5", stroke: red, width: 2)

  private static func path(_ d: String, fill: String = "none", stroke: String = "none", width: Int = 2) -> String {
    #"<path d="\#(d)" fill="\#(fill)" stroke="\#(stroke)" stroke-width="\#(width)"/>"#
  }

  private static func circle(_ radius: Int, y: Int = 0, fill: String, stroke: String) -> String {
    #"<circle cx="0" cy="\#(y)" r="\#(radius)" fill="\#(fill)" stroke="\#(stroke)" stroke-width="2"/>"#
  }
}
