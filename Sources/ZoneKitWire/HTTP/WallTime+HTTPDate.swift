import ZoneKitRecords

extension WallTime {
  private static let days = ["Thu", "Fri", "Sat", "Sun", "Mon", "Tue", "Wed"]
  private static let months = [
    "Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec",
  ]

  /// The time as header fields have it, in whole seconds: `Sun, 06 Nov 1994 08:49:37 GMT` (RFC 9110, 5.6.7).
  var httpDate: String {
    let text = iso8601Seconds
    let clamped = min(max(self, .earliestWritable), .latestWritable).milliseconds
    let day = (clamped - (clamped % 86_400_000 + 86_400_000) % 86_400_000) / 86_400_000
    let parts = text.dropLast().split { $0 == "-" || $0 == "T" }
    guard parts.count == 4, let month = Int(parts[1]) else { return text }
    return "\(Self.days[Int((day % 7 + 7) % 7)]), \(parts[2]) \(Self.months[month - 1]) \(parts[0]) \(parts[3]) GMT"
  }
}
