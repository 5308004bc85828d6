import ZoneKitDeviceHost
import ZoneKitRecords

extension CommandWords {
  /// Parses the words after `log` or `start`.
  mutating func newAction(isLog: Bool) throws(AppRefusal) -> NewAction {
    var action = NewAction(try kind(isLog: isLog))
    var seen: [String] = []
    while let word = next() {
      guard !seen.contains(word) else { throw AppRefusal("\"\(word)\" comes twice; say it once") }
      seen.append(word)
      try option(word, isLog: isLog, of: &action)
    }
    return action
  }

  /// Parses the words after `stop`.
  mutating func stop() throws(AppRefusal) -> NannyCommand {
    let target = try next("a category (\(Category.list)) or the ID of an action")
    guard let word = next() else { return .stop(target, at: nil) }
    guard word == "at" else { throw AppRefusal("unexpected \"\(word)\"; only `at TIME` may follow here") }
    return .stop(target, at: try time())
  }

  /// Parses the words after `edit`.
  mutating func edit() throws(AppRefusal) -> NannyCommand {
    let id = try next("the ID of an action")
    let field = try next("a field: \(Self.editable)")
    let value = try next("a value for \(field)")
    return .edit(id, try Self.edit(field, value))
  }

  /// Parses the words after `profile`.
  mutating func profile() throws(AppRefusal) -> NannyCommand {
    let field = try next("`name \"Mia\"` or `birth 2026-08-01`")
    switch field {
    case "name":
      let name = try next("a name, in double quotes where it has blanks")
      guard name.contains(where: { !$0.isWhitespace }) else { throw AppRefusal("the name is empty") }
      return .profileName(name)
    case "birth": return .profileBirth(try time())
    default: throw AppRefusal("a profile has no \"\(field)\"; it has name and birth")
    }
  }

  /// Parses the words after `list`.
  mutating func limit() throws(AppRefusal) -> Int? {
    guard let word = next() else { return nil }
    guard let limit = Int(word), limit > 0 else {
      throw AppRefusal("\"\(word)\" is not how many actions to list; expected a whole number from 1")
    }
    return limit
  }

  private mutating func kind(isLog: Bool) throws(AppRefusal) -> ActionKind {
    let categories = isLog ? "sleep, diaper, feeding" : "sleep, feeding"
    let word = try next("a category: \(categories)")
    guard let category: Category = Self.choice(word) else {
      throw AppRefusal("unknown category \"\(word)\"; expected one of \(categories)")
    }
    switch category {
    case .sleep: return .sleep
    case .diaper:
      guard isLog else { throw AppRefusal("a diaper change is one moment; use `log diaper KIND`") }
      return .diaper(try choice("kind of diaper"))
    case .feeding: return .feeding(try choice("kind of feeding"))
    }
  }

  private mutating func option(_ word: String, isLog: Bool, of action: inout NewAction) throws(AppRefusal) {
    switch word {
    case "at": action.at = try time()
    case "until":
      guard isLog else { throw AppRefusal("`start` makes an action that runs; say `until` with `log`") }
      guard action.kind.category.canRun else { throw AppRefusal("a diaper change is one moment; leave out `until`") }
      action.until = try time()
    case "volume":
      try demandBottle(word, action)
      action.volume = try Self.volume(try next("a volume in millilitres"))
    case "type":
      try demandBottle(word, action)
      action.bottleType = try choice("type of bottle")
    default:
      let options = isLog ? "at TIME, until TIME, volume ML, type TYPE" : "at TIME, volume ML, type TYPE"
      throw AppRefusal("unexpected \"\(word)\"; expected one of \(options)")
    }
  }

  private func demandBottle(_ word: String, _ action: NewAction) throws(AppRefusal) {
    guard action.kind != .feeding(.bottle) else { return }
    throw AppRefusal("only a bottle has a \(word); use `feeding bottle`, or leave it out")
  }

  private mutating func time() throws(AppRefusal) -> TimeWord {
    try TimeWord(parsing: try next("a time: \(TimeWord.forms)"))
  }

  private mutating func choice<Choice: CaseIterable & RawRepresentable<String>>(
    _ what: String
  ) throws(AppRefusal) -> Choice {
    try Self.choice(what, try next("a \(what): \(Choice.list)"))
  }
}

extension CommandWords {
  private static let editable =
    "startDate, endDate, diaperType, feedingType, bottleType, bottleVolume, latitude, longitude, placename"

  private static func edit(_ field: String, _ value: String) throws(AppRefusal) -> ActionEdit {
    let isNone = value == "none"
    switch field {
    case "startDate", "at": return .startDate(try TimeWord(parsing: value))
    case "endDate", "until": return .endDate(isNone ? nil : try TimeWord(parsing: value))
    case "diaperType": return .diaperType(try choice("kind of diaper", value))
    case "feedingType": return .feedingType(try choice("kind of feeding", value))
    case "bottleType", "type": return .bottleType(isNone ? nil : try choice("type of bottle", value))
    case "bottleVolume", "volume": return .bottleVolume(isNone ? nil : try volume(value))
    case "latitude": return .latitude(isNone ? nil : try degrees(value, limit: 90))
    case "longitude": return .longitude(isNone ? nil : try degrees(value, limit: 180))
    case "placename": return .placename(isNone ? nil : value)
    default: throw AppRefusal("an action has no editable field \"\(field)\"; expected one of \(editable)")
    }
  }

  /// The case with that name, in uppercase or lowercase.
  private static func choice<Choice: CaseIterable & RawRepresentable<String>>(_ word: String) -> Choice? {
    Choice.allCases.first { $0.rawValue.lowercased() == word.lowercased() }
  }

  private static func choice<Choice: CaseIterable & RawRepresentable<String>>(
    _ what: String, _ word: String
  ) throws(AppRefusal) -> Choice {
    guard let choice: Choice = choice(word) else {
      throw AppRefusal("unknown \(what) \"\(word)\"; expected one of \(Choice.list)")
    }
    return choice
  }

  private static func volume(_ word: String) throws(AppRefusal) -> Int64 {
    guard let volume = Int64(word), BabyAction.volumes.contains(volume) else {
      throw AppRefusal(
        "\"\(word)\" is not a volume; expected whole millilitres from 0 to \(BabyAction.volumes.upperBound)")
    }
    return volume
  }

  private static func degrees(_ word: String, limit: Double) throws(AppRefusal) -> Double {
    guard let degrees = Double(word), degrees.magnitude <= limit else {
      throw AppRefusal("\"\(word)\" is not in degrees; expected a number from -\(limit) to \(limit)")
    }
    return degrees
  }
}
