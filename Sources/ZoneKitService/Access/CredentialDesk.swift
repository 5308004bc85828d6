import ZoneKitRecords
import struct ZoneKitStorage.SystemGenerator
import ZoneKitWire

/// Adds, lists and removes the credentials of a data directory. A running server takes the change with its next request.
package struct CredentialDesk {
  private let file: CredentialFile

  /// The desk of a data directory.
  package init(of data: DataDirectory) { file = CredentialFile(of: data) }

  /// All credentials.
  package func registry() throws(StoresError) -> CredentialRegistry {
    try StoresError.from { () throws(StoreError) in try file.registry() }
  }

  // MARK: API tokens

  /// Registers a new API token of that name. Returns its text, which is kept nowhere.
  package func addToken(
    named name: String, _ reach: CredentialRegistry.Reach, callback: String?, origin: String?
  ) throws(StoresError) -> String {
    if let callback, SignInPage.origin(of: callback) == nil {
      throw .input("the callback must be a URL such as https://app.example/signed-in, not \(callback)")
    }
    if let origin, SignInPage.origin(of: origin) != origin {
      throw .input("the origin must be one such as https://app.example, not \(origin)")
    }
    var generator = SystemGenerator()
    let text = Hexadecimal.text(RandomIdentifier.bytes(32, using: &generator))
    try file.change { (registry) throws(StoresError) in
      try Self.check(name, "token", among: registry.tokens.map(\.name))
      registry.tokens.append(
        CredentialRegistry.APIToken(
          name: name, hash: Hexadecimal.text(SHA256.hash(Array(text.utf8))), reach: reach, callback: callback,
          origin: origin))
    }
    return text
  }

  /// Removes the API token of that name.
  package func removeToken(named name: String) throws(StoresError) {
    try file.change { (registry) throws(StoresError) in
      try Self.remove(name, "token", from: &registry.tokens) { $0.name }
    }
  }

  // MARK: Keys of servers

  /// Registers a public key of that name, in PEM. Returns the ID of the key: the given one, or the hash of the key.
  package func addKey(
    named name: String, pem: [UInt8], keyID: String?, _ reach: CredentialRegistry.Reach
  ) throws(StoresError) -> String {
    guard let key = Self.publicKey(inPEM: String(decoding: pem, as: UTF8.self)) else {
      throw .input("a key must be an elliptic one on the curve prime256v1, in PEM with BEGIN PUBLIC KEY")
    }
    let keyID = keyID ?? Hexadecimal.text(SHA256.hash(key))
    guard !keyID.isEmpty, keyID.utf8.count <= 200, keyID.utf8.allSatisfy({ (0x21...0x7E).contains($0) }) else {
      throw .input("the ID of a key has 1 to 200 visible ASCII characters")
    }
    try file.change { (registry) throws(StoresError) in
      try Self.check(name, "key", among: registry.keys.map(\.name))
      if let other = registry.key(keyID) { throw .input("key \(other.name) has the ID \(keyID) already") }
      registry.keys.append(CredentialRegistry.ServerKey(name: name, keyID: keyID, publicKey: key, reach: reach))
    }
    return keyID
  }

  /// Removes the key of that name.
  package func removeKey(named name: String) throws(StoresError) {
    try file.change { (registry) throws(StoresError) in
      try Self.remove(name, "key", from: &registry.keys) { $0.name }
    }
  }

  private static func publicKey(inPEM text: String) -> [UInt8]? {
    let lines = text.split(whereSeparator: \.isNewline).map { $0.filter { !$0.isWhitespace } }
    guard let begin = lines.firstIndex(of: "-----BEGINPUBLICKEY-----"),
      let end = lines[begin...].firstIndex(of: "-----ENDPUBLICKEY-----"),
      let key = Base64.decode(lines[(begin + 1)..<end].joined()), SignatureVerification.isPublicKey(key)
    else { return nil }
    return key
  }

  // MARK: Users

  /// Registers a user, or changes what is given of a known one. Returns whether the user is new.
  package func addUser(
    _ user: CredentialRegistry.User, password: String?
  ) throws(StoresError) -> Bool {
    guard Authentication.isUsable(user.account), !user.account.text.hasPrefix("_") else {
      throw .input("the name of a user has 1 to \(Name.lengthLimit) characters and does not begin with _")
    }
    let record = password.map { PasswordHash.record(of: $0) }
    return try file.change { (registry) throws(StoresError) in
      let index = registry.users.firstIndex { $0.account == user.account }
      if let address = user.emailAddress,
        let other = registry.users.first(where: {
          $0.account != user.account && $0.emailAddress?.lowercased() == address.lowercased()
        })
      {
        throw .input("user \(other.account) has the e-mail address \(address) already")
      }
      var changed = index.map { registry.users[$0] } ?? user
      changed.firstName = user.firstName ?? changed.firstName
      changed.lastName = user.lastName ?? changed.lastName
      changed.emailAddress = user.emailAddress ?? changed.emailAddress
      changed.phoneNumber = user.phoneNumber ?? changed.phoneNumber
      if let record { changed.password = (record.hash, record.salt) }
      if let index { registry.users[index] = changed } else { registry.users.append(changed) }
      return index == nil
    }
  }

  /// Removes a user, whose tokens a strict server refuses from then on.
  package func removeUser(named name: String) throws(StoresError) {
    try file.change { (registry) throws(StoresError) in
      try Self.remove(name, "user", from: &registry.users) { $0.account.text }
    }
  }

  /// A web token that signs a user in.
  package func webToken(
    of name: String, _ reach: CredentialRegistry.Reach, life: Int64
  ) throws(StoresError) -> String {
    let now = SystemClock.wall
    return try file.change { (registry) throws(StoresError) in
      guard let user = registry.user(name) else { throw Self.unknown(name, "user", registry.users.map(\.account.text)) }
      return WebToken(account: user.account, reach: reach, issuedAt: now, life: life)
        .text(secret: registry.secret, .libcrypto)
    }
  }

  // MARK: Names

  private static func check(_ name: String, _ what: String, among known: [String]) throws(StoresError) {
    guard !name.isEmpty, name.utf8.count <= Name.lengthLimit else {
      throw .input("the name of a \(what) has 1 to \(Name.lengthLimit) bytes")
    }
    guard !known.contains(name) else { throw .input("there is a \(what) \(name) already; remove it first") }
  }

  private static func unknown(_ name: String, _ what: String, _ known: [String]) -> StoresError {
    let names = known.isEmpty ? "there is none" : "there are \(known.joined(separator: ", "))"
    return .input("there is no \(what) \(name); \(names)")
  }

  private static func remove<Item>(
    _ name: String, _ what: String, from items: inout [Item], named: (Item) -> String
  ) throws(StoresError) {
    guard let index = items.firstIndex(where: { named($0) == name }) else {
      throw unknown(name, what, items.map(named))
    }
    items.remove(at: index)
  }
}
