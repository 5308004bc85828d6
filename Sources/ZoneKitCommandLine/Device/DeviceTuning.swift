import ZoneKitSync

/// A setting of a device's coordinator in `--tune`.
struct DeviceTuning {
  private enum Place {
    case milliseconds(WritableKeyPath<CoordinatorConfiguration, Int64>)
    case count(WritableKeyPath<CoordinatorConfiguration, Int>)
    /// Whether batches are atomic: 1 or 0.
    case atomic
    /// Which rule decides a conflict with a deletion: 1 for the app's merge policy, 0 for "the deletion wins".
    case deletePolicy

    var isSwitch: Bool {
      switch self {
      case .milliseconds, .count: false
      case .atomic, .deletePolicy: true
      }
    }
  }

  private static var places: [(name: String, place: Place)] {
    [
      ("quiet", .milliseconds(\.quiet)), ("fallback", .milliseconds(\.fallback)),
      ("emptyPushDelay", .milliseconds(\.emptyPushDelay)), ("emptyPushTries", .count(\.emptyPushTries)),
      ("requestTimeout", .milliseconds(\.requestTimeout)), ("droughtGrace", .milliseconds(\.droughtGrace)),
      ("pageLimit", .count(\.pageLimit)), ("batchLimit", .count(\.batchLimit)), ("batchBytes", .count(\.batchBytes)),
      ("stormLimit", .count(\.stormLimit)), ("atomic", .atomic), ("deletePolicy", .deletePolicy),
    ]
  }

  private let place: Place
  private let number: Int64

  /// Parses `NAME=NUMBER`.
  init(_ word: String) throws(ExitFailure) {
    let parts = word.split(separator: "=", maxSplits: 1).map(String.init)
    guard let found = Self.places.first(where: { $0.name == parts.first }) else {
      let names = Self.places.map(\.name).joined(separator: ", ")
      throw .usage("--tune takes NAME=NUMBER with one of \(names), not \(word)")
    }
    guard parts.count == 2, let number = Int64(parts[1]), (0...1_000_000_000_000).contains(number),
      found.place.isSwitch ? number <= 1 : number > 0
    else {
      throw .usage(
        "--tune \(found.name) takes \(found.place.isSwitch ? "0 or 1" : "a whole number from 1"), not \(parts.count == 2 ? parts[1] : "nothing")"
      )
    }
    place = found.place
    self.number = number
  }

  /// Applies the setting.
  func apply(to configuration: inout CoordinatorConfiguration) {
    switch place {
    case .milliseconds(let path): configuration[keyPath: path] = number
    case .count(let path): configuration[keyPath: path] = Int(number)
    case .atomic: configuration.isAtomic = number == 1
    case .deletePolicy: configuration.deleteRule = number == 1 ? .policy : .deleteWins
    }
  }
}
