/// Writes a layout as an SVG document.
package struct TimelinePicture {
  private let layout: TimelineLayout

  init(_ layout: TimelineLayout) { self.layout = layout }

  /// The whole document.
  var document: String {
    let legend = TimelineLegend(layout).drawn(from: 56 + bannerHeight)
    let shift = legend.height + bannerHeight
    let (width, height) = (layout.width + 16, layout.height + shift + 8)
    var lines = [
      #"<?xml version="1.0" encoding="UTF-8"?>"#,
      #"<svg xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink" width="\#(width)" height="\#(height)" "#
        + #"viewBox="0 0 \#(width) \#(height)" "#
        + #"role="img" font-family="Helvetica, Arial, 'Liberation Sans', 'DejaVu Sans', sans-serif" "#
        + #"font-size="\#(TimelineSheet.letters)" fill="\#(TimelineGlyph.ink)">"#,
      "<title>\(Self.escaped(layout.heading))</title>",
      "<desc>\(Self.escaped("A sequence diagram: time runs down; " + layout.note))</desc>",
    ]
    lines += Arrow.Kind.allCases.map(Self.head)
    lines.append(##"<rect width="\##(width)" height="\##(height)" fill="#fff"/>"##)
    lines.append(
      #"<text x="24" y="28" font-size="16" font-weight="bold">\#(fitted(layout.heading, size: 18))</text>"#)
    lines.append(
      #"<text x="24" y="47" fill="\#(TimelineGlyph.quiet)">\#(fitted(layout.note, size: 12))</text>"#)
    lines += banner
    lines += legend.lines
    lines.append(#"<g transform="translate(0 \#(shift))">"#)
    lines += layout.bands.filter { $0.kind != .broken }.map(band)
    lines += layout.lanes.indices.flatMap(lifelines)
    lines += layout.bands.filter { $0.kind == .broken }.map(band)
    lines += layout.flights.map(flight)
    lines += layout.signs.map { sign in
      titled(
        sign.tooltip,
        #"<g transform="translate(\#(sign.at.x) \#(sign.at.y))">"# + TimelineGlyph.ground
          + TimelineGlyph.shape(sign.kind) + "</g>"
      )
    }
    lines += layout.labels.map(label)
    return (lines + ["</g>", "</svg>"]).joined(separator: "\n") + "\n"
  }

  /// The text with every character escaped that has a meaning in XML or is not allowed there.
  package static func escaped(_ text: String) -> String {
    var result = ""
    for character in TimelineWords.shown(text).unicodeScalars {
      switch character {
      case "&": result += "&amp;"
      case "<": result += "&lt;"
      case ">": result += "&gt;"
      case "\"": result += "&quot;"
      default: result.unicodeScalars.append(character)
      }
    }
    return result
  }

  /// The height of the banner with the space below it; 0 if nothing is broken.
  private var bannerHeight: Int {
    layout.banner.isEmpty ? 0 : layout.banner.count * TimelineSheet.line + 10 + 12
  }

  /// The first broken expectation. It links to the moment from which on the content differs, if one is known, otherwise
  /// to where it broke.
  private var banner: [String] {
    guard !layout.banner.isEmpty else { return [] }
    let target = layout.bands.contains { $0.kind == .divergence } ? "divergence" : "broken"
    let texts = layout.banner.enumerated().map { index, text in
      #"<text x="56" y="\#(56 + 17 + index * TimelineSheet.line)" fill="\#(TimelineGlyph.red)" font-size="13" "#
        + #"font-weight="bold">\#(Self.escaped(text))</text>"#
    }
    let box = box(TimelineLayout.Band(kind: .broken, y: 56, height: bannerHeight - 12))
    return [##"<a xlink:href="#\##(target)">"##, box] + texts + ["</a>"]
  }

  private func box(_ band: TimelineLayout.Band) -> String {
    ##"<rect x="16" y="\##(band.y)" width="\##(layout.width - 16)" height="\##(band.height)" fill="#fdecea" "##
      + #"stroke="\#(TimelineGlyph.red)" stroke-width="2"/>"#
      + #"<g transform="translate(36 \#(band.y + band.height / 2))">\#(TimelineGlyph.shape(.broken))</g>"#
  }

  private func fitted(_ text: String, size: Int) -> String {
    Self.escaped(TextMeasure.fitted(TimelineWords.shown(text), size: size, width: layout.width - 32))
  }

  private func titled(_ tooltip: String, _ drawing: String) -> String {
    "<g><title>\(Self.escaped(tooltip))</title>\(drawing)</g>"
  }

  private static func head(_ kind: Arrow.Kind) -> String {
    #"<marker id="\#(kind.rawValue)" markerUnits="userSpaceOnUse" markerWidth="12" markerHeight="10" "#
      + #"refX="10" refY="5" "#
      + #"orient="auto"><path d="M0 0L11 5L0 10Z" fill="\#(TimelineGlyph.line(kind).color)"/></marker>"#
  }

  private func flight(_ flight: TimelineLayout.Flight) -> String {
    let look = TimelineGlyph.line(flight.kind)
    let (from, to) = (flight.from, flight.to)
    let way =
      from.x == to.x
      ? "M\(from.x) \(from.y)H\(from.x + 24)V\(to.y)H\(to.x + 3)"
      : "M\(from.x) \(from.y)L\(flight.dies ? to.x : to.x + (from.x < to.x ? -3 : 3)) \(to.y)"
    let head = flight.dies ? "" : #" marker-end="url(#\#(flight.kind.rawValue))""#
    var drawing =
      #"<path d="\#(way)" fill="none" stroke="\#(look.color)" stroke-width="1.6" "#
      + #"stroke-dasharray="\#(look.dash)"\#(head)/>"#
    if flight.dies { drawing += #"<g transform="translate(\#(to.x) \#(to.y))">\#(TimelineGlyph.cross)</g>"# }
    return titled(flight.tooltip, drawing)
  }

  private func band(_ band: TimelineLayout.Band) -> String {
    switch band.kind {
    case .step:
      ##"<path d="M\##(TimelineSheet.stepEdge) \##(band.y)H\##(layout.width)" stroke="#d0d7de" stroke-width="1"/>"##
    case .gap:
      ##"<rect x="16" y="\##(band.y)" width="\##(layout.width - 16)" height="\##(band.height)" fill="#f1f3f5"/>"##
    case .divergence:
      ##"<rect id="divergence" x="16" y="\##(band.y)" width="\##(layout.width - 16)" height="\##(band.height)" "##
        + ##"fill="#fff1d6"/>"##
    case .broken: #"<g id="broken">\#(box(band))</g>"#
    }
  }

  private func lifelines(_ lane: Int) -> [String] {
    let turns = layout.turns[lane]
    let ends = turns.dropFirst().map(\.y) + [layout.height - 30]
    return zip(turns, ends).compactMap { turn, end in
      guard turn.y < end else { return nil }
      let line = TimelineGlyph.line(turn.look)
      return #"<path d="M\#(layout.x(lane)) \#(turn.y)V\#(end)" stroke="\#(line.color)" stroke-width="\#(line.width)" "#
        + #"stroke-dasharray="\#(line.dash)"/>"#
    }
  }

  private func label(_ label: TimelineLabel) -> String {
    let box = label.box
    let x =
      switch label.anchor {
      case .start: box.x
      case .middle: box.x + box.width / 2
      case .end: box.x + box.width
      }
    let text =
      #"<text x="\#(x)" y="\#(box.y + (label.style == .lane ? 17 : 12))"\#(Self.attributes(label))>"#
      + Self.escaped(label.text) + "</text>"
    return titled(label.tooltip, background(label) + text)
  }

  /// A background behind a text that hides the lines there.
  private func background(_ label: TimelineLabel) -> String {
    let box = label.box
    switch label.style {
    case .lane:
      let middle = box.x + box.width / 2
      return
        ##"<rect x="\##(middle - 100)" y="\##(box.y)" width="200" height="24" rx="4" "##
        + ##"fill="#eaeef2" stroke="#8c959f"/>"##
    case .mark, .arrow, .reason, .step:
      return ##"<rect x="\##(box.x - 1)" y="\##(box.y + 1)" width="\##(box.width + 2)" height="\##(box.height - 2)" "##
        + ##"fill="#fff" fill-opacity="0.85"/>"##
    case .time, .gap, .broken: return ""
    }
  }

  private static func attributes(_ label: TimelineLabel) -> String {
    let anchor = label.anchor == .start ? "" : #" text-anchor="\#(label.anchor.rawValue)""#
    let look =
      switch label.style {
      case .time: #" fill="\#(TimelineGlyph.quiet)" font-size="11""#
      case .gap: #" fill="\#(TimelineGlyph.quiet)" font-style="italic""#
      case .step: #" font-weight="bold" font-size="11""#
      case .reason: #" fill="\#(TimelineGlyph.red)" font-style="italic""#
      case .lane: #" font-weight="bold""#
      case .broken: #" fill="\#(TimelineGlyph.red)" font-weight="bold""#
      case .mark, .arrow: ""
      }
    return anchor + look
  }
}
