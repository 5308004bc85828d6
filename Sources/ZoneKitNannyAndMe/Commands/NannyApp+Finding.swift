import ZoneKitDeviceHost
import ZoneKitRecords

extension NannyApp {
  /// A record that an ID in a command stands for.
  enum Found {
    case action(BabyAction)
    case profile(Profile)
  }

  /// The only action or profile whose ID begins with that text. For `@N` see `action(numbered:)`.
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

  /// The action for `@1`, `@2` and so on: the actions in ascending order of IDs, counted cyclically. So commands can be
  /// written before the IDs are known.
  private func action(numbered word: String) throws(AppRefusal) -> BabyAction {
    guard let number = Int(word.dropFirst()), number > 0 else {
      throw AppRefusal("\(word): expected @1, @2 ... for an action that is there")
    }
    let actions = log.actions.sorted { $0.id.recordName.text < $1.id.recordName.text }
    guard !actions.isEmpty else { throw AppRefusal("there is no action yet") }
    return actions[(number - 1) % actions.count]
  }

  /// The only action whose ID begins with that text.
  func action(withIDPrefix prefix: String) throws(AppRefusal) -> BabyAction {
    switch try find(prefix) {
    case .action(let action): return action
    case .profile: throw AppRefusal("\"\(prefix)\" is a profile; use `profile name` or `profile birth`")
    }
  }

  /// The running action for `stop`: by ID, or that of the current profile in a category.
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

  /// Refuses a second running action of a category.
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
