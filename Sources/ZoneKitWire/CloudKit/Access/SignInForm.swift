import ZoneKitRecords

/// The form of the sign-in page, as a browser sends it.
package struct SignInForm: Hashable, Sendable {
  /// What the sign-in is for.
  package var ticket: SignInTicket
  /// The name of the account, or its e-mail address.
  package var name: String
  /// The password; empty if none was given.
  package var password: String
  /// Whether the user wants to stay signed in.
  package var isKept: Bool

  /// Reads the body of a request. Throws a sentence if it is not of the form.
  package init(_ body: [UInt8]) throws(SignInProblem) {
    let items: HTTPQuery
    do {
      items = try HTTPQuery(parsing: String(decoding: body, as: UTF8.self), plusSigns: .spaces)
    } catch {
      throw SignInProblem(status: 400, error.description)
    }
    guard let ticket = items["ticket"].flatMap(SignInTicket.init) else { throw .noTicket }
    self.ticket = ticket
    name = items["name"] ?? ""
    password = items["password"] ?? ""
    isKept = items["keep"] != nil
  }

  /// How long the token of the sign-in is valid, in milliseconds.
  package var life: Int64 { isKept ? WebToken.keptLife : WebToken.life }
}

/// Why nobody is signed in.
package struct SignInProblem: Error, Hashable, Sendable {
  /// The HTTP status.
  package var status: Int
  /// What is wrong and what would be right.
  package var reason: String

  /// A problem with that status.
  package init(status: Int, _ reason: String) {
    self.status = status
    self.reason = reason
  }

  /// There is no ticket, or none of this server.
  package static let noTicket = SignInProblem(
    status: 400, "This page needs the ticket of a redirectURL; begin at the app that wants you to sign in.")
  /// The name or the password is wrong, which of them is not said.
  package static let wrong = SignInProblem(status: 401, "The name or the password is wrong.")
  /// There were too many tries.
  package static let tooMany = SignInProblem(status: 429, "There were too many tries; wait five minutes.")
}

/// Counts tries to sign in, by name.
package struct SignInTries: Sendable {
  /// The most tries for a name within `window` milliseconds.
  package static let limit = 20
  /// The time after which tries are forgotten, in milliseconds.
  package static let window: Int64 = 300_000
  /// The most names that are remembered.
  private static let names = 10_000

  private var tries: [Name: [Int64]] = [:]

  /// No tries.
  package init() {}

  /// Counts a try. Returns false if there were too many.
  package mutating func admit(_ name: String, at now: MonotonicTime) -> Bool {
    let begin = now.milliseconds - Self.window
    if tries.count >= Self.names { tries = tries.filter { $0.value.last ?? 0 > begin } }
    guard tries.count < Self.names else { return false }
    let recent = (tries[Name(name)] ?? []).filter { $0 > begin }
    guard recent.count < Self.limit else { return false }
    tries[Name(name)] = recent + [now.milliseconds]
    return true
  }
}
