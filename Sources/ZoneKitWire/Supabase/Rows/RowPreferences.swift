import ZoneKitTables

/// What a request prefers of its answer (the field `Prefer`).
struct RowPreferences {
  /// What the answer to a write holds.
  enum Returning: String {
    case minimal
    case headersOnly = "headers-only"
    case representation
  }

  /// The preference for verdicts that are named one by one.
  static let verdicts = "zonekit-verdicts"

  private(set) var returning = Returning.minimal
  private(set) var resolution: RowWrite.Resolution?
  private(set) var countsRows = false
  private(set) var rowLimit: Int?
  /// Whether a column that a row of a list lacks gets its default.
  private(set) var fillsDefaults = false
  /// Whether the verdicts are named one by one.
  private(set) var wantsVerdicts = false
  /// The preferences that count, as the answer names them.
  private(set) var applied: [String] = []

  /// Reads those values of the field. Of several preferences of one name the first counts.
  init(_ values: [String]) throws(RowError) {
    var seen: Set<String> = []
    var unknown: [String] = []
    var isStrict = false
    var limit: Int?
    for preference in values.joined(separator: ",").split(separator: ",") {
      let parts = preference.split(separator: "=", maxSplits: 1).map { $0.trimmed }
      guard let name = parts.first, !name.isEmpty, seen.insert(name).inserted else { continue }
      let value = parts.count > 1 ? parts[1] : ""
      switch (name, value) {
      case ("handling", "strict"): isStrict = true
      case ("missing", "default"): fillsDefaults = true
      case ("handling", "lenient"), ("missing", "null"), ("tx", _), ("timezone", _): break
      case ("max-affected", _) where Int(value) != nil: limit = Int(value)
      default: if !take(name, value) { unknown.append("\(preference.trimmed)") }
      }
    }
    if isStrict { rowLimit = limit }
    guard !isStrict || unknown.isEmpty else {
      throw RowError(
        .invalidPreference, "Invalid preferences given with handling=strict",
        details: "Invalid preferences: \(unknown.joined(separator: ", "))")
    }
  }

  /// Takes a preference. Returns false if it is unknown.
  private mutating func take(_ name: String, _ value: String) -> Bool {
    switch (name, value) {
    case ("return", _):
      guard let known = Returning(rawValue: value) else { return false }
      returning = known
    case ("resolution", "merge-duplicates"): resolution = .merge
    case ("resolution", "ignore-duplicates"): resolution = .ignore
    case ("count", "exact"), ("count", "planned"), ("count", "estimated"): countsRows = true
    case (Self.verdicts, _):
      wantsVerdicts = true
      return true
    default: return false
    }
    applied.append("\(name)=\(value)")
    return true
  }
}

extension Substring {
  /// The text without blanks around it.
  var trimmed: String {
    let start = drop { $0 == " " || $0 == "\t" }
    guard let end = start.lastIndex(where: { $0 != " " && $0 != "\t" }) else { return "" }
    return String(start[...end])
  }
}
