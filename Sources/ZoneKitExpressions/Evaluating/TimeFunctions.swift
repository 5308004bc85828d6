import ZoneKitRecords
import ZoneKitRelations

/// Parts of days and moments.
enum TimeFunctions {
  /// The result for the name of a part and a time of that type.
  static func value(
    _ function: TypedFunction, _ values: [Datum], _ type: DatumType, _ result: DatumType
  ) throws(SQLFailure) -> Datum {
    guard case .text(let text) = values[0] else { return .null }
    let unit = text.simpleLowercase
    if function == .truncatedTime {
      guard case .timestamp(let time) = values[1] else { return .null }
      guard let start = try truncated(time, unit) else { throw unknown(text, type) }
      return .timestamp(start)
    }
    let time: Int64
    switch values[1] {
    case .date(let day): time = try Calendar.time(ofDay: day)
    case .time(let clock): time = clock
    case .timestamp(let moment): time = moment
    default: return .null
    }
    let number = try part(unit, of: Calendar.isFinite(time) ? time : 0, type)
    guard Calendar.isFinite(time) else { throw SQLFailure(.notSupported, "a part of infinity is not supported") }
    guard result == .doublePrecision else { return .numeric(number) }
    return try NumberConversion.number(.numeric(number), .numeric(nil), .doublePrecision)
  }

  /// The time itself for the zone UTC, in which all clocks show the same as times without a zone.
  static func inUTC(_ values: [Datum]) throws(SQLFailure) -> Datum {
    guard case .text(let zone) = values[0] else { return .null }
    guard ["utc", "gmt", "z", "zulu", "etc/utc", "universal"].contains(zone.simpleLowercase) else {
      throw SQLFailure(.notSupported, "the time zone \"\(zone)\" is not supported: use UTC")
    }
    return values[1]
  }

  private static func unknown(_ unit: String, _ type: DatumType) -> SQLFailure {
    SQLFailure(.invalidParameter, "unit \"\(unit)\" not recognized for type \(type.name)")
  }

  /// The beginning of the unit that a moment is in; nil for another word.
  private static func truncated(_ time: Int64, _ unit: String) throws(SQLFailure) -> Int64? {
    guard Calendar.isFinite(time) else { return time }
    let size: Int64
    switch unit {
    case "microseconds": size = 1
    case "milliseconds": size = 1_000
    case "second": size = 1_000_000
    case "minute": size = 60_000_000
    case "hour": size = 3_600_000_000
    case "day": size = Calendar.microsecondsPerDay
    default:
      let day = Calendar.day(of: time)
      let (year, month, _) = WallTime.civil(daysSince1970: day)
      let start: Int64
      switch unit {
      case "week": start = day - weekday(day)
      case "month": start = WallTime.daysSince1970(year: year, month: month, day: 1)
      case "quarter": start = WallTime.daysSince1970(year: year, month: (month - 1) / 3 * 3 + 1, day: 1)
      case "year": start = WallTime.daysSince1970(year: year, month: 1, day: 1)
      default: return nil
      }
      return try Calendar.time(ofDay: start)
    }
    return time.flooredQuotient(by: size) * size
  }

  /// The days since Monday.
  private static func weekday(_ day: Int64) -> Int64 { day + 3 - 7 * (day + 3).flooredQuotient(by: 7) }

  private static func part(_ unit: String, of time: Int64, _ type: DatumType) throws(SQLFailure) -> Numeric {
    let isClock = type.unlimited == .time(nil)
    // The last time of a day is 24:00.
    let clock = isClock ? time : Calendar.timeOfDay(time)
    if type != .date {
      switch unit {
      case "microseconds": return Numeric(clock % 60_000_000)
      case "milliseconds": return decimal(clock % 60_000_000, scale: 3)
      case "second": return decimal(clock % 60_000_000, scale: 6)
      case "minute": return Numeric(clock / 60_000_000 % 60)
      case "hour": return Numeric(clock / 3_600_000_000)
      default: break
      }
    }
    if unit.isSame("epoch") {
      return type == .date ? Numeric(time / 1_000_000) : decimal(time, scale: 6)
    }
    guard let number = dayPart(unit, Calendar.day(of: time)) else { throw unknown(unit, type) }
    if isClock || number < 0 { throw SQLFailure(.notSupported, "unit \"\(unit)\" not supported for type \(type.name)") }
    return Numeric(number)
  }

  /// The part of a day; nil for another word, and a number below zero for a part that no day has.
  private static func dayPart(_ unit: String, _ day: Int64) -> Int64? {
    let (year, month, dayOfMonth) = WallTime.civil(daysSince1970: day)
    switch unit {
    case "day": return dayOfMonth
    case "month": return month
    case "quarter": return (month - 1) / 3 + 1
    case "year": return year > 0 ? year : nil
    case "dow": return (weekday(day) + 1) % 7
    case "isodow": return weekday(day) + 1
    case "doy": return day - WallTime.daysSince1970(year: year, month: 1, day: 1) + 1
    case "week":
      // The week belongs to the year that its Thursday is in.
      let thursday = day - weekday(day) + 3
      let start = WallTime.daysSince1970(year: WallTime.civil(daysSince1970: thursday).year, month: 1, day: 1)
      return (thursday - start) / 7 + 1
    case "microseconds", "milliseconds", "second", "minute", "hour": return -1
    default: return nil
    }
  }

  private static func decimal(_ number: Int64, scale: Int) -> Numeric {
    let text = "\(number)e-\(scale)"
    return (Numeric(text) ?? .zero).rounded(toScale: scale)
  }
}
