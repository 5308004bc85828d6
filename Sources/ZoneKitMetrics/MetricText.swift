/// Writes metrics in Prometheus's text format, version 0.0.4. Each family has a help text, a type and its samples. A family
/// without samples is left out.
package struct MetricText {
  /// The media type of the format.
  package static let contentType = "text/plain; version=0.0.4; charset=utf-8"

  /// The type of a family. A histogram has a method of its own.
  package enum Kind: String, Sendable {
    case counter, gauge
  }

  /// The name and the value of a label.
  package typealias Label = (name: String, value: String)
  /// A value with its labels.
  package typealias Sample = (labels: [Label], value: MetricValue)

  /// The text so far.
  package private(set) var text = ""

  /// An empty text.
  package init() {}

  /// Writes a family of counters or gauges. `name` is written without the prefix that all names have.
  package mutating func add(_ kind: Kind, _ name: String, _ help: String, _ samples: [Sample]) {
    guard !samples.isEmpty else { return }
    begin(name, help, kind.rawValue)
    for sample in samples { line(name, sample.labels, sample.value) }
  }

  /// Writes a family with one value and no label.
  package mutating func add(_ kind: Kind, _ name: String, _ help: String, _ value: MetricValue) {
    add(kind, name, help, [([], value)])
  }

  /// Writes a family of histograms of durations, in seconds.
  package mutating func add(_ name: String, _ help: String, _ histograms: [([Label], DurationHistogram)]) {
    guard !histograms.isEmpty else { return }
    begin(name, help, "histogram")
    for (labels, histogram) in histograms {
      let limits = DurationHistogram.bounds.map { MetricValue.nanoseconds($0).text } + ["+Inf"]
      for (limit, count) in zip(limits, histogram.cumulative) {
        line(name + "_bucket", labels + [("le", limit)], .count(count))
      }
      line(name + "_sum", labels, .nanoseconds(histogram.sum))
      line(name + "_count", labels, .count(histogram.count))
    }
  }

  private mutating func begin(_ name: String, _ help: String, _ type: String) {
    text += "# HELP zonekit_\(name) \(Self.escape(help))\n# TYPE zonekit_\(name) \(type)\n"
  }

  private mutating func line(_ name: String, _ labels: [Label], _ value: MetricValue) {
    let list = labels.map { "\($0.name)=\"\(Self.escape($0.value, quotes: true))\"" }.joined(separator: ",")
    text += "zonekit_\(name)\(list.isEmpty ? "" : "{\(list)}") \(value.text)\n"
  }

  /// A text in which the characters that end it are escaped. Only the value of a label ends at a quotation mark.
  private static func escape(_ text: String, quotes: Bool = false) -> String {
    var escaped = String.UnicodeScalarView()
    for scalar in text.unicodeScalars {
      switch scalar {
      case "\\": escaped.append(contentsOf: "\\\\".unicodeScalars)
      case "\n": escaped.append(contentsOf: "\\n".unicodeScalars)
      case "\"" where quotes: escaped.append(contentsOf: "\\\"".unicodeScalars)
      default: escaped.append(scalar)
      }
    }
    return String(escaped)
  }
}
