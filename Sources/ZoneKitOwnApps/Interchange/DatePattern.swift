import ZoneKitRecords

/// How a foreign file writes dates and times: letters for digits, as in `dd.MM.yyyy HH:mm`, and other characters for
/// themselves.
struct DatePattern: Hashable, Sendable {
  private enum Part: Hashable, Sendable {
    case year, shortYear, month, monthName, day, hour, hourOfHalf, minute, second, half
    case mark(Character)
  }

  /// The pattern as it was written.
  let text: String
  private let parts: [Part]

  /// The letters of patterns, for errors.
  static let letters = "yyyy, yy, MM, MMM, dd, HH, hh, mm, ss, a"

  /// The pattern of that text; nil if it has other letters, or does not say the whole date.
  init?(_ text: String) {
    var parts: [Part] = []
    var rest = text[...]
    while let first = rest.first {
      let run = rest.prefix { $0 == first }
      guard first.isLetter, first.isASCII else {
        parts.append(.mark(first))
        rest.removeFirst()
        continue
      }
      switch (first, run.count) {
      case ("y", 4): parts.append(.year)
      case ("y", 2): parts.append(.shortYear)
      case ("M", 1...2): parts.append(.month)
      case ("M", 3): parts.append(.monthName)
      case ("d", 1...2): parts.append(.day)
      case ("H", 1...2): parts.append(.hour)
      case ("h", 1...2): parts.append(.hourOfHalf)
      case ("m", 1...2): parts.append(.minute)
      case ("s", 1...2): parts.append(.second)
      case ("a", 1): parts.append(.half)
      case ("T", 1): parts.append(.mark("T"))
      default: return nil
      }
      rest = rest.dropFirst(run.count)
    }
    let hasYear = parts.contains(.year) || parts.contains(.shortYear)
    guard hasYear, parts.contains(.month) || parts.contains(.monthName), parts.contains(.day) else { return nil }
    self.text = text
    self.parts = parts
  }

  /// A time in that pattern, for errors: 6:06:01 in the morning of 21 November 2026.
  var example: String {
    parts.map { part in
      switch part {
      case .year: "2026"
      case .shortYear: "26"
      case .month: "11"
      case .monthName: "Nov"
      case .day: "21"
      case .hour, .hourOfHalf, .minute: "06"
      case .second: "01"
      case .half: "AM"
      case .mark(let mark): "\(mark)"
      }
    }.joined()
  }

  private static let months = ["jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec"]

  /// The date and time of a text, as if it were UTC; nil if the text is not written so, or there is no such time.
  func time(_ text: String) -> WallTime? {
    var (year, month, day, hour, minute, second): (Int64, Int64, Int64, Int64, Int64, Int64) = (0, 0, 0, 0, 0, 0)
    var isAfternoon: Bool?
    var rest = text[...]
    for part in parts {
      switch part {
      case .mark(let mark):
        guard rest.first == mark else { return nil }
        rest.removeFirst()
      case .monthName:
        guard let index = Self.months.firstIndex(of: rest.prefix(3).lowercased()) else { return nil }
        month = Int64(index) + 1
        rest = rest.dropFirst(3)
      case .half:
        guard let half = ["am": false, "pm": true][rest.prefix(2).lowercased()] else { return nil }
        isAfternoon = half
        rest = rest.dropFirst(2)
      default:
        guard let number = Self.number(part, &rest) else { return nil }
        switch part {
        case .year: year = number
        case .shortYear: year = 2000 + number
        case .month: month = number
        case .day: day = number
        case .hour, .hourOfHalf: hour = number
        case .minute: minute = number
        default: second = number
        }
      }
    }
    if let isAfternoon {
      guard (1...12).contains(hour) else { return nil }
      hour = hour % 12 + (isAfternoon ? 12 : 0)
    }
    guard rest.isEmpty, (1...9999).contains(year), (1...12).contains(month), day >= 1,
      day <= WallTime.days(inMonth: month, of: year), hour < 24, minute < 60, second < 60
    else { return nil }
    let days = WallTime.daysSince1970(year: year, month: month, day: day)
    return WallTime(milliseconds: days * 86_400_000 + (hour * 3_600 + minute * 60 + second) * 1_000)
  }

  /// The text of a date and time, which is given as if it were UTC.
  func text(_ time: WallTime) -> String {
    let days = time.milliseconds.flooredQuotient(by: 86_400_000)
    let seconds = (time.milliseconds - days * 86_400_000) / 1_000
    let (year, month, day) = WallTime.civil(daysSince1970: days)
    let (hour, minute, second) = (seconds / 3_600, seconds / 60 % 60, seconds % 60)
    func digits(_ number: Int64, _ count: Int = 2) -> String {
      let text = String(number)
      return String(repeating: "0", count: max(0, count - text.count)) + text
    }
    return parts.map { part in
      switch part {
      case .year: digits(year, 4)
      case .shortYear: digits(year % 100)
      case .month: digits(month)
      case .monthName: Self.months[Int(month) - 1].capitalizedASCII
      case .day: digits(day)
      case .hour: digits(hour)
      case .hourOfHalf: digits((hour + 11) % 12 + 1)
      case .minute: digits(minute)
      case .second: digits(second)
      case .half: hour < 12 ? "AM" : "PM"
      case .mark(let mark): "\(mark)"
      }
    }.joined()
  }

  /// Removes the digits of a part: as many as it has letters for years, one or two for others.
  private static func number(_ part: Part, _ rest: inout Substring) -> Int64? {
    let (least, most) = part == .year ? (4, 4) : part == .shortYear ? (2, 2) : (1, 2)
    let digits = rest.prefix(most).prefix { $0.isASCII && $0.isNumber }
    guard digits.count >= least else { return nil }
    rest = rest.dropFirst(digits.count)
    return Int64(digits)
  }
}

extension String {
  /// The text with a capital first letter.
  fileprivate var capitalizedASCII: String { prefix(1).uppercased() + dropFirst() }
}
