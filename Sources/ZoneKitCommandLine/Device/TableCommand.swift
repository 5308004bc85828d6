import ZoneKitDeviceHost

/// A command at the prompt of a device whose app's rows lie in the tables of a server.
enum TableCommand: Equatable {
  /// Makes an account and signs it in.
  case signUp(email: String, password: String)
  /// Signs an account in.
  case signIn(email: String, password: String)
  /// Signs the account out and empties the store. Edits that are not sent go into the journal if that is asked for.
  case signOut(discards: Bool)
  /// Syncs, as when the user pulls a list down.
  case pull
  /// Sends a row now and before all others.
  case send(String)
  /// Sends a row again that the server refused, or its photo. Without a row it tries everything again that was set aside,
  /// and goes on with a migration.
  case retry(String?)
  /// Gives a photo to a row, takes it away, or says where it is.
  case photo(String, PhotoChoice)
  /// Shows what the device knows about a row.
  case trace(String)

  /// Goes on with the upload of local rows, compares the device with the server again, or takes the upload back.
  case migrate(MigrationChoice)

  /// What a user does with the upload of local rows.
  enum MigrationChoice: Equatable {
    /// It goes on.
    case goOn
    /// The device is compared with the server.
    case verify
    /// The device gets its backup again. With `isCloudMeant` the rows on the server that only it has written are removed.
    case rollBack(isCloudMeant: Bool)
  }

  /// What a user does with the photo of a row.
  enum PhotoChoice: Equatable {
    /// The picture in that file becomes the photo.
    case file(String)
    /// The row has no photo any more.
    case none
    /// The photo stays, and its place is shown.
    case shown
  }

  /// The first words of these commands.
  static let verbs = ["signup", "signin", "signout", "pull", "send", "retry", "photo", "trace", "migrate"]

  /// The lines of the help.
  static let help = """
    signup EMAIL PASSWORD         signin EMAIL PASSWORD
    signout [--discard]           pull
    send ID                       retry [ID]
    photo ID [FILE|none]
    migrate [verify|rollback [--cloud]]
    trace ID
    """

  /// Parses a line that begins with one of the verbs.
  init(parsing line: String) throws(AppRefusal) {
    var words = try CommandWords(line)
    let verb = words.next() ?? ""
    switch verb {
    case "signup", "signin":
      let email = try words.next("an e-mail address")
      let password = try words.next("a password")
      self =
        verb == "signup" ? .signUp(email: email, password: password) : .signIn(email: email, password: password)
    case "signout":
      let option = words.next()
      guard option == nil || option == "--discard" else {
        throw AppRefusal("signout takes no words but --discard, not \(option ?? "")")
      }
      self = .signOut(discards: option != nil)
    case "send": self = .send(try words.nextWord("the beginning of an ID").source)
    case "retry":
      self = .retry(words.upcoming?.source)
      _ = words.next()
    case "photo":
      let row = try words.nextWord("the beginning of an ID").source
      let choice = words.upcoming
      _ = words.next()
      self = .photo(row, choice.map { $0 == CommandWords.Word("none") ? .none : .file($0.text) } ?? .shown)
    case "trace": self = .trace(try words.nextWord("the beginning of an ID").source)
    case "migrate": self = .migrate(try Self.migration(&words))
    default: self = .pull
    }
    try words.end()
  }

  private static func migration(_ words: inout CommandWords) throws(AppRefusal) -> MigrationChoice {
    switch words.next() {
    case nil: return .goOn
    case "verify"?: return .verify
    case "rollback"?:
      let option = words.next()
      guard option == nil || option == "--cloud" else {
        throw AppRefusal("migrate rollback takes no words but --cloud, not \(option ?? "")")
      }
      return .rollBack(isCloudMeant: option != nil)
    case let word?: throw AppRefusal("migrate takes no words but verify and rollback, not \(word)")
    }
  }
}
