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
  /// The most rows that are shown. Steps and broken expectations do not count: all of them are shown.
  package let limit: Int

  /// A timeline of that trace. If it has more rows than the limit, it shows the last ones before the first `broken`
  /// mark.
  package init(_ trace: Trace, title: String = "", limit: Int = Timeline.usualLimit) {
    self.trace = trace
    self.title = title
    self.limit = limit
  }

  /// A standalone SVG 1.1 document. It is well-formed for any text in the trace, and equal for equal traces.
  package var svg: String { TimelinePicture(layout).document }

  /// The timeline as lines for a terminal: time, place and event.
  package var text: String { TimelineText(self).lines.joined(separator: "\n") + "\n" }

  /// The events that are shown.
  var selection: TimelineSelection { TimelineSelection(trace.events, limit: limit) }

  /// The positions of everything in the picture.
  var layout: TimelineLayout {
    var layout = TimelineLayout(lanes: lanes, trace: trace, heading: heading, note: note)
    layout.lay(selection)
    return layout
  }

  /// The lanes from left to right: devices by number, then the cloud, then the gateway. In this order arrows cross the
  /// fewest lanes that they do not concern.
  var lanes: [TraceEvent.Lane] {
    var numbers = Set(trace.deviceNames.indices)
    for event in trace.events {
      for case .device(let number) in event.lanes { numbers.insert(number) }
    }
    return numbers.sorted().map { .device($0) } + [.cloud, .gateway]
  }

  /// The first line: title and digest.
  var heading: String { (title.isEmpty ? "" : title + " · ") + "digest " + trace.digest }

  /// The second line: how many events are shown.
  var note: String {
    var parts = ["\(trace.count) \(trace.count == 1 ? "event" : "events")"]
    if trace.events.count < trace.count { parts.append("\(trace.count - trace.events.count) of them not kept") }
    let selection = selection
    if selection.leftOut > 0 { parts.append("\(selection.leftOut) left out") }
    if selection.folded > 0 { parts.append("\(selection.folded) repeated ones folded") }
    if let last = trace.events.map(\.at.milliseconds).max() { parts.append("until \(TimelineWords.moment(last))") }
    return parts.joined(separator: ", ")
  }
}
