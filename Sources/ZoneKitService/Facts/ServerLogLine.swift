import ZoneKitRecords

/// A line of a server's log: a request with its outcome, or a fact of one of its machines.
package struct ServerLogLine {
  /// The line as text that begins with the time of day.
  package let text: String
  /// The line as a JSON object.
  package let json: JSON

  init(_ request: AnsweredRequest, at now: WallTime) {
    let outcome = request.status.map { "\($0)" } ?? "no answer"
    let size = request.bytes.map { ", \($0.counted("byte"))" } ?? ""
    text = "\(now.timeOfDay) \(request.method) \(request.path) \(outcome)\(size), \(request.milliseconds) ms"
    json = [
      "event": "request", "at": .string(now.iso8601), "method": .string(request.method), "path": .string(request.path),
      "status": request.status.map { .integer(Int64($0)) } ?? .null,
      "bytes": request.bytes.map { .integer(Int64($0)) } ?? .null, "milliseconds": .integer(request.milliseconds),
    ]
  }

  init(_ fact: Fact, at now: WallTime) {
    text = fact.line(at: now)
    json = fact.json(at: now)
  }
}
