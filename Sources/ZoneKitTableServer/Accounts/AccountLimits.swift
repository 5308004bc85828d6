/// The limits of accounts and sessions.
package struct AccountLimits: Hashable, Sendable {
  /// The most tries to sign in or up with one e-mail address from one network address, within `signInWindow`.
  package var signIns: Int
  /// The most tries with one e-mail address from all network addresses, and from one network address with all e-mail
  /// addresses. Those of an account that has signed in from a network address do not count there.
  package var signInsOfMany: Int { signIns.multipliedReportingOverflow(by: 10).overflow ? .max : signIns * 10 }
  /// The time over which tries are counted, in milliseconds.
  package static let signInWindow: Int64 = 5 * 60_000
  /// The most names whose tries are counted at once.
  package static let countedNames = 10_000
  /// How long a refresh token that was just replaced is taken again, in milliseconds: two windows of one app may use it
  /// at once.
  package static let reuseTime: Int64 = 10_000
  /// The most unused refresh tokens of a session. The oldest one goes.
  package static let unusedTokens = 4
  /// The most used refresh tokens of a session whose reuse is noticed. The oldest one is forgotten.
  package static let usedTokens = 100
  /// How long a session lasts without being continued, in milliseconds.
  package static let sessionLife: Int64 = 60 * 86_400_000
  /// The length of a password in bytes.
  package static let password = 6...72
  /// The longest e-mail address in bytes.
  package static let email = 255
  /// The most bytes of the metadata of an account as JSON.
  package static let metadata = 64 << 10
  /// The most accounts on a page of all accounts.
  package static let page = 1_000

  /// The limits with that many tries to sign in.
  package init(signIns: Int = 30) { self.signIns = signIns }
}
