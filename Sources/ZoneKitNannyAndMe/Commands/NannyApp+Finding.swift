import ZoneKitDeviceHost
import ZoneKitRecords

extension NannyApp {
  /// What an ID in a command can stand for.
  enum Found {
    case action(BabyAction)
    case profile(Profile)
  }

  /// The one action or profile whose ID begins with that text; for `@N` the action of that number, see `action(numbered:)`.
  func find(_ prefix: String) throws(AppRefusal) -> Found {
    if prefix.hasPrefix("@") { return .action(try action(numbered: prefix)) }
    let upper = Array(prefix.uppercased().utf8)
    let profiles = profiles.profiles.filter { $0.id.recordName.text.utf8.starts(with: upper) }
    let found = log.actions(withIDPrefix: prefix).map(Found.action) + profiles.map(Found.profile)
    guard let first = found.first else {
      throw AppRefusal("no action or profile has an ID that begins with \"\(prefix)\"; `list` shows the actions")
    }
    guard found.count == 1 else { throw ambiguous(prefix, found.map(\.id)) }
    return first
  }

  /// The action that `@1`, `@2` ... stands for: the actions ascending by ID, counted round. With it a story can be written
  /// before the IDs are drawn.
  private func action(numbered word: String) throws(AppRefusal) -> BabyAction {
    guard let number = Int(word.dropFirst()), number > 0 else {
      throw AppRefusal("\(word): expected @1, @2 ... for an action that is there")
    }
    let actions = log.actions.sorted { $0.id.recordName.text < $1.id.recordName.text }
    guard !actions.isEmpty else { throw AppRefusal("there is no action yet") }
    return actions[(number - 1) % actions.count]
  }

  /// The one action whose ID begins with that text.
  func action(withIDPrefix prefix: String) throws(AppRefusal) -> BabyAction {
    switch try find(prefix) {
    case .action(let action): return action
    case .profile: throw AppRefusal("\"\(prefix)\" is a profile; use `profile name` or `profile birth`")
    }
  }

  /// The running action that `stop` means: of the current profile where a category is named.
  func running(_ target: String) throws(AppRefusal) -> BabyAction {
    guard let category = Category(rawValue: target.lowercased()) else {
      let action = try action(withIDPrefix: target)
      guard let end = action.endDate else { return action }
      throw AppRefusal("\(action.title) \(action.shortID) ended \(end.iso8601Seconds); `edit` changes its endDate")
    }
    guard category.canRun else { throw AppRefusal("a diaper change is one moment; there is nothing to stop") }
    guard let action = running(in: category).first else {
      throw AppRefusal("no \(category.rawValue) is running; `start \(category.rawValue)` starts one")
    }
    return action
  }

  /// Refuses to start a second action of a category that runs.
  func demandNoneRunning(_ category: Category) throws(AppRefusal) {
    guard let action = running(in: category).first else { return }
    throw AppRefusal(
      "\(action.title) \(action.shortID) is running since \(action.startDate.iso8601Seconds);"
        + " `stop \(category.rawValue)` ends it")
  }

  private func running(in category: Category) -> [BabyAction] {
    currentProfile.map { log.running(of: $0.id, in: category) } ?? []
  }

  private func ambiguous(_ prefix: String, _ ids: [RecordID]) -> AppRefusal {
    let first = ids.prefix(5).map(\.recordName.text).joined(separator: ", ")
    let more = ids.count > 5 ? " and \(ids.count - 5) more" : ""
    return AppRefusal("\"\(prefix)\" begins several IDs: \(first)\(more); give more characters")
  }
}

extension NannyApp.Found {
  var id: RecordID {
    switch self {
    case .action(let action): action.id
    case .profile(let profile): profile.id
    }
  }
}
