import ZoneKitDeviceHost

/// A command of the app.
package enum NannyCommand: Hashable, Sendable {
  /// `log sleep|diaper KIND|feeding KIND [at TIME] [until TIME] [volume ML] [type TYPE]`: adds an action that has
  /// ended.
  case log(NewAction)
  /// `start sleep|feeding KIND [at TIME] [volume ML] [type TYPE]`: adds a running action.
  case start(NewAction)
  /// `stop CATEGORY|ID [at TIME]`: ends a running action.
  case stop(String, at: TimeWord?)
  /// `edit ID FIELD VALUE`: changes a field. The value `none` removes it.
  case edit(String, ActionEdit)
  /// `delete ID`: deletes an action or a profile.
  case delete(String)
  /// `profile name "Mia"`.
  case profileName(String)
  /// `profile birth 2026-08-01`.
  case profileBirth(TimeWord)
  /// `list [N]`.
  case list(Int?)
  /// `show ID`: shows an action or a profile.
  case show(String)

  /// The first words of all commands.
  package static let verbs = ["log", "start", "stop", "edit", "delete", "profile", "list", "show"]

  /// The help for all commands.
  static let help = [
    "profile name \"Mia\"            profile birth 2026-08-01",
    "log sleep|diaper KIND|feeding KIND [at TIME] [until TIME] [volume ML]",
    "start sleep|feeding KIND      stop CATEGORY|ID",
    "edit ID FIELD VALUE           delete ID",
    "list [N]                      show ID",
  ]

  /// Whether the command needs the log.
  var readsLog: Bool {
    switch self {
    case .log, .profileName, .profileBirth: false
    case .start, .stop, .edit, .delete, .list, .show: true
    }
  }

  /// Parses a line. Throws an error with the right form if it is not a command.
  package init(parsing line: String) throws(AppRefusal) {
    var words = try CommandWords(line)
    let verb = try words.next("one of \(Self.verbs.joined(separator: ", "))")
    switch verb {
    case "log": self = .log(try words.newAction(isLog: true))
    case "start": self = .start(try words.newAction(isLog: false))
    case "stop": self = try words.stop()
    case "edit": self = try words.edit()
    case "delete": self = .delete(try words.next("the ID of an action or a profile"))
    case "profile": self = try words.profile()
    case "list": self = .list(try words.limit())
    case "show": self = .show(try words.next("the ID of an action or a profile"))
    default:
      throw AppRefusal("unknown command \"\(verb)\"; the app knows \(Self.verbs.joined(separator: ", "))")
    }
    try words.end()
  }
}
