import ZoneKitRecords
import ZoneKitRelations

/// Computations with days and moments in UTC.
enum Calendar {
  static let microsecondsPerDay: Int64 = 86_400_000_000
  /// The beginning of the year 2000, in microseconds from 1970.
  static let year2000: Int64 = 10_957 * microsecondsPerDay

  /// Whether a day or moment is not infinite.
  static func isFinite(_ time: Int64) -> Bool { time != .max && time != .min }

  /// The moment at which a day begins.
  static func time(ofDay days: Int64) throws(SQLFailure) -> Int64 {
    guard isFinite(days) else { return days }
    let (time, isTooLarge) = days.multipliedReportingOverflow(by: microsecondsPerDay)
    if isTooLarge { throw SQLFailure(.timeOutOfRange, "date out of range for timestamp") }
    return time
  }

  /// The day of a moment.
  static func day(of time: Int64) -> Int64 {
    isFinite(time) ? time.flooredQuotient(by: microsecondsPerDay) : time
  }

  /// The microseconds of a moment since its day began.
  static func timeOfDay(_ time: Int64) -> Int64 { time - day(of: time) * microsecondsPerDay }

  /// Rounds to that many digits of a second, half away from zero.
  static func rounded(_ microseconds: Int64, _ digits: Int) -> Int64 {
    let unit = (0..<max(0, 6 - digits)).reduce(Int64(1)) { unit, _ in unit * 10 }
    return (microseconds + (microseconds >= 0 ? unit / 2 : -unit / 2)) / unit * unit
  }

  /// A moment that much later. Where a month has no such day, it is its last one.
  static func moved(_ time: Int64, _ interval: Interval) throws(SQLFailure) -> Int64 {
    guard isFinite(time) else { return time }
    let outOfRange = SQLFailure(.timeOutOfRange, "timestamp out of range")
    var days = day(of: time)
    if interval.months != 0 {
      let (year, month, day) = WallTime.civil(daysSince1970: days)
      let months = year * 12 + month - 1 + interval.months
      let moved = (year: months.flooredQuotient(by: 12), month: months - 12 * months.flooredQuotient(by: 12) + 1)
      guard abs(moved.year) < 300_000 else { throw outOfRange }
      let last = WallTime.days(inMonth: moved.month, of: moved.year)
      days = WallTime.daysSince1970(year: moved.year, month: moved.month, day: min(day, last))
    }
    let (start, isTooFar) = (days + interval.days).multipliedReportingOverflow(by: microsecondsPerDay)
    let (sum, isBeyond) = start.addingReportingOverflow(timeOfDay(time))
    let (end, isPast) = sum.addingReportingOverflow(interval.microseconds)
    // PostgreSQL's first moment is in the year 4714 before our era.
    guard !isTooFar, !isBeyond, !isPast, end >= -210_866_803_200_000_000, isFinite(end) else { throw outOfRange }
    return end
  }

  /// A day that many days later.
  static func moved(day: Int64, by days: Int64) throws(SQLFailure) -> Int64 {
    guard isFinite(day) else { return day }
    let (sum, isTooFar) = day.addingReportingOverflow(days)
    guard !isTooFar, sum >= -2_440_588, sum < 2_145_042_541 else {
      throw SQLFailure(.timeOutOfRange, "date out of range")
    }
    return sum
  }
}
