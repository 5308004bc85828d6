import ZoneKitRecords

/// The API tokens, keys and users that a server knows, and the secret with which it signs web tokens.
package struct CredentialRegistry: Hashable, Sendable {
  /// Where a credential is valid: in one container or all, in one environment or both.
  package struct Reach: Hashable, Sendable {
    /// The container; nil for all.
    package var container: Name?
    /// The environment; nil for both.
    package var environment: Environment?

    /// That container and environment.
    package init(container: Name? = nil, environment: Environment? = nil) {
      self.container = container
      self.environment = environment
    }

    /// Whether it includes a container and environment.
    package func includes(_ container: Name, _ environment: Environment) -> Bool {
      (self.container ?? container) == container && (self.environment ?? environment) == environment
    }
  }

  /// The token of an app. Only its hash is kept.
  package struct APIToken: Hashable, Sendable {
    /// The name for the administrator.
    package var name: String
    /// The hash of the token in hexadecimal digits.
    package var hash: String
    /// Where it is valid.
    package var reach: Reach
    /// The URL to which a sign-in redirects; nil for none.
    package var callback: String?
    /// The origin of the pages to which a sign-in posts its message; nil for none.
    package var origin: String?

    /// A token.
    package init(name: String, hash: String, reach: Reach, callback: String? = nil, origin: String? = nil) {
      self.name = name
      self.hash = hash
      self.reach = reach
      self.callback = callback
      self.origin = origin
    }
  }

  /// The public key of a server.
  package struct ServerKey: Hashable, Sendable {
    /// The name for the administrator.
    package var name: String
    /// The name of the key in requests.
    package var keyID: String
    /// The key in DER.
    package var publicKey: [UInt8]
    /// Where it is valid.
    package var reach: Reach

    /// A key.
    package init(name: String, keyID: String, publicKey: [UInt8], reach: Reach) {
      self.name = name
      self.keyID = keyID
      self.publicKey = publicKey
      self.reach = reach
    }
  }

  /// A person who can sign in.
  package struct User: Hashable, Sendable {
    /// The account's name, and what others see of the user.
    package var account: Name
    /// The given name.
    package var firstName: String?
    /// The family name.
    package var lastName: String?
    /// The e-mail address.
    package var emailAddress: String?
    /// The phone number.
    package var phoneNumber: String?
    /// The hash of the password and its salt, in base64; nil if the user cannot sign in with one.
    package var password: (hash: String, salt: String)? {
      get { passwordHash.flatMap { hash in passwordSalt.map { (hash, $0) } } }
      set { (passwordHash, passwordSalt) = (newValue?.hash, newValue?.salt) }
    }
    var passwordHash: String?
    var passwordSalt: String?

    /// A user of that account.
    package init(account: Name) { self.account = account }
  }

  /// The API tokens, in the order in which they were added.
  package var tokens: [APIToken] = []
  /// The keys of servers, in the order in which they were added.
  package var keys: [ServerKey] = []
  /// The users, in the order in which they were added.
  package var users: [User] = []
  /// The secret that signs web tokens; empty if there is none.
  package var secret: [UInt8]

  /// A registry with that secret.
  package init(secret: [UInt8] = []) { self.secret = secret }

  /// The API token with that hash.
  func token(hash: String) -> APIToken? { tokens.first { $0.hash == hash } }

  /// The API token of that text; nil if it is not registered.
  package func token(_ text: String, _ cryptography: Cryptography) -> APIToken? {
    tokens.isEmpty ? nil : token(hash: Hexadecimal.text(cryptography.hash(Array(text.utf8))))
  }

  /// The key of that name in requests.
  package func key(_ keyID: String) -> ServerKey? { keys.first { $0.keyID == keyID } }

  /// The user of that account, or with that e-mail address.
  package func user(_ name: String) -> User? {
    users.first { $0.account == Name(name) } ?? users.first { $0.emailAddress?.lowercased() == name.lowercased() }
  }
}
