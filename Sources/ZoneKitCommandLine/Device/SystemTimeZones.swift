import Glibc
import ZoneKitRecords
import ZoneKitStorage

/// The time zones of this machine: the files of Debian's package `tzdata`, or those in the folder that `TZDIR` names.
enum SystemTimeZones {
  /// The rules of the zone of that name. Without files only few zones are known. Throws if there is no such zone.
  static func rules(_ name: String) throws(TimeZoneError) -> TimeZoneRules {
    guard name != TimeZoneRules.utc.name else { return .utc }
    guard TimeZoneRules.isName(name) else {
      throw TimeZoneError("\"\(name)\" is no time zone; expected a name such as Europe/Zurich")
    }
    guard let bytes = try? Folder.readNamed("\(folder)/\(name)") else { throw missing(name) }
    return try TimeZoneRules(name: name, compiled: bytes)
  }

  private static var folder: String {
    getenv("TZDIR").map { String(cString: $0) } ?? "/usr/share/zoneinfo"
  }

  /// The error for a zone without a file. Where no zone has one it says what brings them.
  private static func missing(_ name: String) -> TimeZoneError {
    guard access(folder, F_OK) == 0 else {
      return TimeZoneError(
        "time zone \(name) is not known, because \(folder) does not exist; Debian's package tzdata brings it. "
          + "Without it there is only UTC")
    }
    let guess = Suggestion.text(for: name, among: names)
    return TimeZoneError(
      "there is no time zone \(name) in \(folder)\(guess.isEmpty ? "; expected a name such as Europe/Zurich" : guess)")
  }

  /// The names of all zones and their aliases; empty if it cannot be read.
  private static var names: [String] {
    guard let table = try? Folder.readNamed("\(folder)/tzdata.zi") else { return [] }
    return String(decoding: table, as: UTF8.self).split(separator: "\n").compactMap { line in
      let words = line.split(separator: " ")
      return words.first == "Z" && words.count > 1
        ? String(words[1]) : words.first == "L" && words.count > 2 ? String(words[2]) : nil
    }
  }
}
