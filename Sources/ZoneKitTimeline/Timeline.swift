import ZoneKitRecords

/// A trace as a picture and as text, for a person who looks for the moment a world went wrong.
///
/// A lane's line is interrupted from a `crash` mark, or a `life` or `link` mark with one of the words `LaneCondition`
/// knows, on.
package struct Timeline: Sendable {
  /// How many rows there are at most, unless said otherwise; steps and broken promises do not count.
  package static let usualLimit = 400

  /// What is shown; it has to keep its events.
  package let trace: Trace
  /// The scenario or the seed, for the title.
  package let title: String
  /// How many rows there are at most, without steps and broken promises, which are all shown.
  package let limit: Int

  /// The timeline of that trace; the rows that are shown are the last ones before the first `broken` mark.
  package init(_ trace: Trace, title: String = "", limit: Int = Timeline.usualLimit) {
    self.trace = trace
    self.title = title
    self.limit = limit
  }

  /// A standalone SVG 1.1 document, well-formed with any texts, the same for the same trace.
  package var svg: String { TimelinePicture(layout).document }

  /// Lines for a terminal: the time, where, and what.
  package var text: String { TimelineText(self).lines.joined(separator: "\n") + "\n" }

  /// What is shown.
  var selection: TimelineSelection { TimelineSelection(trace.events, limit: limit) }

  /// Where everything is.
  var layout: TimelineLayout {
    var layout = TimelineLayout(lanes: lanes, trace: trace, heading: heading, note: note)
    layout.lay(selection)
    return layout
  }

  /// The lanes from left to right: devices by number, the cloud, the gateway; so that neither requests nor notices
  /// cross a lane that they do not concern more often than they have to.
  var lanes: [TraceEvent.Lane] {
    var numbers = Set(trace.deviceNames.indices)
    for event in trace.events {
      for case .device(let number) in event.lanes { numbers.insert(number) }
    }
    return numbers.sorted().map { .device($0) } + [.cloud, .gateway]
  }

  /// The first line: which world this was.
  var heading: String { (title.isEmpty ? "" : title + " · ") + "digest " + trace.digest }

  /// The second line: how much of it is shown.
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
