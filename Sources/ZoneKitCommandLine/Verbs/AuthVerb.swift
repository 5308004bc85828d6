import ZoneKitRecords
import ZoneKitService
import struct ZoneKitStorage.SystemGenerator
import ZoneKitWire

/// `zonekit auth`: the API tokens, keys and users of CloudKit Web Services.
enum AuthVerb {
  static let spec = VerbSpec(
    "auth",
    "token add NAME | token list | token remove NAME | key add NAME FILE.pem | key list | key remove NAME | user add NAME | user list | user remove NAME | user token NAME",
    summary: "register the API tokens, keys and users that serve --auth strict accepts",
    details: """
      A running server takes each change with its next request. token add prints a new API token, of which only the hash is
      kept; a sign-in for its app redirects to --callback, or posts a message to the page of --origin that opened it. key add
      registers the public key of a server (an elliptic one on prime256v1) and prints its ID. user add prints a password for
      the sign-in page unless --password is given; for a known NAME it changes what the options name. user token prints a web
      token for ckWebAuthToken. Without --container and --environment a token or key is valid in all of them. A server with
      --auth open verifies registered keys too, and shows the names and addresses of registered users.
      """,
    options: [
      OptionSpec("--container", "NAME", help: "the only container of a token or key"),
      OptionSpec(
        "--environment", "development|production", help: "the only environment of a token or key"),
      OptionSpec("--callback", "URL", help: "where a sign-in for the app of a token redirects to"),
      OptionSpec("--origin", "URL", help: "the origin of the pages that get the message of a sign-in"),
      OptionSpec("--id", "TEXT", help: "the ID of a key (default: the hash of the key)"),
      OptionSpec("--email", "ADDRESS", help: "the e-mail address of a user"),
      OptionSpec("--first", "TEXT", help: "the given name of a user"),
      OptionSpec("--last", "TEXT", help: "the family name of a user"),
      OptionSpec("--phone", "NUMBER", help: "the phone number of a user"),
      OptionSpec("--password", "TEXT", help: "the password of a user (default: a random one for a new user)"),
      OptionSpec("--life", "SECONDS", help: "how long the web token of user token is valid (default 1209600)"),
    ],
    examples: [
      "zonekit auth token add web --callback https://app.example/signed-in",
      "zonekit auth key add importer eckey.pub.pem --container iCloud.com.example.app",
      "zonekit auth user add ann --email ann@example.com --first Ann --last Lee", "zonekit auth user token ann",
    ],
    run: run)

  private enum Subject: String, CaseIterable {
    case token, key, user
  }

  private enum Action: String, CaseIterable {
    case add, list, remove, token
  }

  /// The options of each action besides those of every verb.
  private static func options(_ subject: Subject, _ action: Action) -> [String] {
    switch (subject, action) {
    case (.token, .add): ["--container", "--environment", "--callback", "--origin"]
    case (.key, .add): ["--container", "--environment", "--id"]
    case (.user, .add): ["--email", "--first", "--last", "--phone", "--password"]
    case (.user, .token): ["--container", "--environment", "--life"]
    default: []
    }
  }

  private static func run(_ words: Invocation) throws(ExitFailure) -> Int32 {
    let subject: Subject = try word(at: 0, "auth", words)
    let action: Action = try word(at: 1, "auth \(subject.rawValue)", words)
    let both = "\(subject.rawValue) \(action.rawValue)"
    let allowed = options(subject, action)
    for option in spec.options.map(\.name) where words.has(option) && !allowed.contains(option) {
      throw .usage("\(option) is not for auth \(both)")
    }
    let desk = CredentialDesk(of: DataDirectory(words.dataDirectory))
    switch (subject, action) {
    case (.token, .add): try addToken(desk, words)
    case (.key, .add): try addKey(desk, words)
    case (.user, .add): try addUser(desk, words)
    case (.user, .token): try printToken(desk, words)
    case (_, .list):
      _ = try words.operands(subject.rawValue, "list")
      try list(subject, desk, words)
    case (_, .remove): try remove(subject, desk, words)
    case (_, .token): throw .usage("auth \(subject.rawValue) takes add, list or remove, not token")
    }
    return 0
  }

  private static func word<Word: CaseIterable & RawRepresentable>(
    at index: Int, _ verb: String, _ words: Invocation
  ) throws(ExitFailure) -> Word where Word.RawValue == String {
    let known = Word.allCases.map(\.rawValue)
    guard index < words.operands.count else {
      throw .usage("\(known.joined(separator: ", ")): one is missing after \(verb)")
    }
    let word = words.operands[index]
    guard let found = Word(rawValue: word) else {
      throw .usage(
        "\(verb) takes \(known.joined(separator: ", ")), not \(word)\(Suggestion.text(for: word, among: known))")
    }
    return found
  }

  private static func reach(_ words: Invocation) throws(ExitFailure) -> CredentialRegistry.Reach {
    CredentialRegistry.Reach(
      container: words.value("--container").map { Name($0) }, environment: try words.environment())
  }

  // MARK: Adding

  private static func addToken(_ desk: CredentialDesk, _ words: Invocation) throws(ExitFailure) {
    let name = try words.operands("token", "add", "NAME")[2]
    let reach = try reach(words)
    let token = try ExitFailure.from { () throws(StoresError) in
      try desk.addToken(named: name, reach, callback: words.value("--callback"), origin: words.value("--origin"))
    }
    report(
      "apiTokenAdded", ["name": .string(name), "token": .string(token)],
      "added token \(name): \(token)\nIt is shown only now; clients send it as ckAPIToken.", words)
  }

  private static func addKey(_ desk: CredentialDesk, _ words: Invocation) throws(ExitFailure) {
    let operands = try words.operands("key", "add", "NAME", "FILE.pem")
    let reach = try reach(words)
    let pem = try InputFile.read(operands[3])
    let keyID = try ExitFailure.from { () throws(StoresError) in
      try desk.addKey(named: operands[2], pem: pem, keyID: words.value("--id"), reach)
    }
    report(
      "keyAdded", ["name": .string(operands[2]), "keyID": .string(keyID)],
      "added key \(operands[2]) with the ID \(keyID)", words)
  }

  private static func addUser(_ desk: CredentialDesk, _ words: Invocation) throws(ExitFailure) {
    let name = try words.operands("user", "add", "NAME")[2]
    var user = CredentialRegistry.User(account: Name(name))
    user.firstName = words.value("--first")
    user.lastName = words.value("--last")
    user.emailAddress = words.value("--email")
    user.phoneNumber = words.value("--phone")
    let isKnown = try ExitFailure.from { () throws(StoresError) in
      try desk.registry().users.contains { $0.account == Name(name) }
    }
    var generator = SystemGenerator()
    let fresh = isKnown ? nil : Base64.encodeForURL(RandomIdentifier.bytes(12, using: &generator))
    let password = words.value("--password") ?? fresh
    guard password != "" else { throw .usage("--password must not be empty") }
    let isNew = try ExitFailure.from { () throws(StoresError) in try desk.addUser(user, password: password) }
    let shown = password.map { [JSON.Member("password", .string($0))] } ?? []
    report(
      isNew ? "userAdded" : "userChanged",
      .object([JSON.Member("name", .string(name))] + shown),
      (isNew ? "added user \(name)" : "changed user \(name)") + (password.map { " with the password \($0)" } ?? ""),
      words)
  }

  private static func printToken(_ desk: CredentialDesk, _ words: Invocation) throws(ExitFailure) {
    let name = try words.operands("user", "token", "NAME")[2]
    let reach = try reach(words)
    let life = try words.number("--life", in: 1...315_360_000, default: Int(WebToken.keptLife / 1000))
    let token = try ExitFailure.from { () throws(StoresError) in
      try desk.webToken(of: name, reach, life: Int64(life) * 1000)
    }
    report("webToken", ["name": .string(name), "token": .string(token)], token, words)
  }

  // MARK: Removing and listing

  private static func remove(_ subject: Subject, _ desk: CredentialDesk, _ words: Invocation) throws(ExitFailure) {
    let name = try words.operands(subject.rawValue, "remove", "NAME")[2]
    try ExitFailure.from { () throws(StoresError) in
      switch subject {
      case .token: try desk.removeToken(named: name)
      case .key: try desk.removeKey(named: name)
      case .user: try desk.removeUser(named: name)
      }
    }
    report("\(event(subject))Removed", ["name": .string(name)], "removed \(subject.rawValue) \(name)", words)
  }

  private static func event(_ subject: Subject) -> String { subject == .token ? "apiToken" : subject.rawValue }

  private static func list(_ subject: Subject, _ desk: CredentialDesk, _ words: Invocation) throws(ExitFailure) {
    let registry = try ExitFailure.from { () throws(StoresError) in try desk.registry() }
    let (heads, items) = items(subject, in: registry)
    if words.wantsJSON {
      for item in items {
        Console.print(JSON.object([JSON.Member("event", .string(event(subject)))] + (item.object ?? [])).text())
      }
      return
    }
    guard !items.isEmpty else { return Console.print("no \(subject.rawValue)s") }
    let rows = items.map { item in heads.map { item[$0.key]?.string ?? "-" } }
    Console.print(TextTable([heads.map(\.head)] + rows).text(within: Console.columns))
  }

  private static func items(
    _ subject: Subject, in registry: CredentialRegistry
  ) -> (heads: [(key: String, head: String)], items: [JSON]) {
    let reach = [(key: "container", head: "CONTAINER"), (key: "environment", head: "ENVIRONMENT")]
    switch subject {
    case .token:
      let items = registry.tokens.map { token in
        JSON.object(
          [JSON.Member("name", .string(token.name))] + token.reach.members
            + (JSON(known: ["callback": token.callback.map(JSON.string), "origin": token.origin.map(JSON.string)])
              .object ?? []))
      }
      return ([("name", "NAME")] + reach + [("callback", "CALLBACK"), ("origin", "ORIGIN")], items)
    case .key:
      let items = registry.keys.map { key in
        JSON.object(
          [JSON.Member("name", .string(key.name)), JSON.Member("keyID", .string(key.keyID))] + key.reach.members)
      }
      return ([("name", "NAME")] + reach + [("keyID", "ID")], items)
    case .user:
      let heads = [
        ("name", "NAME"), ("firstName", "FIRST"), ("lastName", "LAST"), ("emailAddress", "E-MAIL"),
        ("phoneNumber", "PHONE"),
      ]
      return (heads, registry.users.map { .object($0.members) })
    }
  }

  private static func report(_ event: String, _ members: JSON, _ text: String, _ words: Invocation) {
    Console.print(
      words.wantsJSON
        ? JSON.object([JSON.Member("event", .string(event))] + (members.object ?? [])).text() : text)
  }
}
