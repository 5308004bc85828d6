import ZoneKitRecords

/// Renders a trace as a picture and as text, to find the moment at which a run went wrong.
///
/// A lane's line is interrupted by a `crash` mark, and by a `life` or `link` mark with one of the words in
/// `LaneCondition`.
package struct Timeline: Sendable {
  /// The default of `limit`.
  package static let usualLimit = 400

  /// The trace. It must keep its events.
  package let trace: Trace
  /// The name of the scenario, or the seed, for the title.
  package let title: String
  /// The most rows that are shown. Steps, broken expectations and what they are about do not count: all of them are
  /// shown.
  package let limit: Int

  /// A timeline of that trace. If it has more rows than the limit, it shows those that matter most, and of equal ones
  /// those that are nearest to the first `broken` mark. A picture shows fewer if it would be taller than
  /// `TimelineSheet.tallest`.
  package init(_ trace: Trace, title: String = "", limit: Int = Timeline.usualLimit) {
    self.trace = trace
    self.title = title
    self.limit = limit
  }

  /// A standalone SVG 1.1 document. It is well-formed for any text in the trace, and equal for equal traces.
  package var svg: String { TimelinePicture(layout).document }

  /// One HTML file with the picture, a search over it, and the text. It loads nothing else.
  package var html: String { TimelineStory(self).document }

  /// The timeline as lines for a terminal: time, place and event.
  package var text: String { TimelineText(self).lines.joined(separator: "\n") + "\n" }

  /// The events that are shown.
  var selection: TimelineSelection { TimelineSelection(trace.events, divergence: trace.divergence, limit: limit) }

  /// The positions of everything in the picture.
  var layout: TimelineLayout {
    let events = trace.events
    var layout = layout(of: selection)
    var rows = min(limit, layout.rows)
    while layout.height > TimelineSheet.tallest, rows > 0 {
      // Each row needs some pixels, so that fewer are tried in a few rounds.
      rows = min(rows - 1, max(0, rows * TimelineSheet.tallest / layout.height))
      layout = self.layout(of: TimelineSelection(events, divergence: trace.divergence, limit: rows))
    }
    return layout
  }

  private func layout(of selection: TimelineSelection) -> TimelineLayout {
    var layout = TimelineLayout(lanes: lanes, trace: trace, heading: heading, note: note(on: selection))
    layout.lay(selection)
    return layout
  }

  /// The lanes from left to right: devices by number, then the cloud, then the gateway if it has an event. In this order
  /// arrows cross the fewest lanes that they do not concern.
  var lanes: [TraceEvent.Lane] {
    var numbers = Set(trace.deviceNames.indices)
    var hasGateway = false
    for event in trace.events {
      for lane in event.lanes {
        if case .device(let number) = lane { numbers.insert(number) }
        if lane == .gateway { hasGateway = true }
      }
    }
    return numbers.sorted().map { .device($0) } + [.cloud] + (hasGateway ? [.gateway] : [])
  }

  /// The first line: title and digest.
  var heading: String { (title.isEmpty ? "" : title + " · ") + "digest " + trace.digest }

  /// The second line: how many events are shown.
  func note(on selection: TimelineSelection) -> String {
    var parts = ["\(trace.count) \(trace.count == 1 ? "event" : "events")"]
    if trace.events.count < trace.count { parts.append("\(trace.count - trace.events.count) of them not kept") }
    if selection.leftOut > 0 { parts.append("\(selection.leftOut) left out") }
    if selection.folded > 0 { parts.append("\(selection.folded) folded") }
    if let last = trace.events.map(\.at.milliseconds).max() { parts.append("until \(TimelineWords.moment(last))") }
    return parts.joined(separator: ", ")
  }
}
