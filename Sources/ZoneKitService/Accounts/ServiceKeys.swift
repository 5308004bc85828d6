import ZoneKitRecords
import ZoneKitStorage
import ZoneKitTables
import ZoneKitWire

/// The secret that signs the tokens of a server, and the keys for its clients. The keys follow from the secret and from
/// the time at which it was made.
struct ServiceKeys {
  /// The name of the file in the cloud's folder. Only its owner may read it.
  static let fileName = "keys.json"
  /// The length of the secret in bytes.
  static let secretLength = 32
  /// How long the keys are valid, in seconds: ten years.
  private static let keyLife: Int64 = 3653 * 86_400
  private static let issuer = "zonekit"
  private static let remedy = "put it back, or let `zonekit repair` make new keys, which ends all sessions"

  /// The key of apps, which anyone may have.
  let anonymousKey: String
  /// The key of the server's owner, which sees the rows of all accounts.
  let serviceKey: String
  /// Another text for `anonymousKey`, in the vendor's newer form.
  let publishableKey: String
  /// Another text for `serviceKey`, in the vendor's newer form.
  let secretKey: String
  /// The secret.
  private let secret: [UInt8]
  /// The tokens whose signature was verified last.
  private let verifiedTokens = VerifiedTokens()

  /// The keys of a secret that was made at that time, in seconds since 1970.
  init(secret: [UInt8], issuedAt: Int64) {
    self.secret = secret
    func key(_ role: AccountClaims.Role) -> String {
      JSONWebToken.text(
        of: AccountClaims(role: role, issuedAt: issuedAt, expiresAt: issuedAt + Self.keyLife), issuer: Self.issuer
      ) { SHA256.authenticationCode(of: $0, key: secret) }
    }
    func alias(_ prefix: String) -> String {
      prefix + Base64.encodeForURL(Array(SHA256.authenticationCode(of: Array(prefix.utf8), key: secret).prefix(18)))
    }
    anonymousKey = key(.anonymous)
    serviceKey = key(.service)
    publishableKey = alias("sb_publishable_")
    secretKey = alias("sb_secret_")
  }

  // MARK: The file

  /// The keys in a cloud's folder. They are made if there are none and no account. Throws if the file is not readable, has
  /// another content, or is missing while there are accounts: new keys would make all tokens and keys of clients worthless.
  init(of folder: String, at now: WallTime) throws(StoreError) {
    if let known = try Self(in: folder) {
      self = known
      return
    }
    if let lost = try Self.loss(in: folder) { throw lost }
    try self.init(makingFileIn: folder, at: now)
  }

  /// New keys in a cloud's folder, which replace those of its file.
  private init(makingFileIn folder: String, at now: WallTime) throws(StoreError) {
    var generator = SystemGenerator()
    let secret = RandomIdentifier.bytes(Self.secretLength, using: &generator)
    let issuedAt = now.milliseconds / 1000
    let document: JSON = ["jwtSecret": .string(Base64.encode(secret)), "issuedAt": .integer(issuedAt)]
    try Folder.make(folder)
    try Folder.write(document.bytes(.pretty) + [UInt8(ascii: "\n")], to: folder + "/" + Self.fileName)
    self.init(secret: secret, issuedAt: issuedAt)
  }

  /// The keys in a cloud's folder; nil if there are none.
  init?(in folder: String) throws(StoreError) {
    let path = folder + "/" + Self.fileName
    guard let content = try Folder.read(path) else { return nil }
    guard let document = try? JSON(parsing: content),
      let secret = document["jwtSecret"]?.string.flatMap({ Base64.decode($0) }), secret.count >= Self.secretLength,
      let issuedAt = document["issuedAt"]?.integer, abs(issuedAt) <= WallTime.latestWritable.milliseconds / 1000
    else {
      throw StoreError(
        .corrupt,
        "expected {\"jwtSecret\":<base64 of at least 32 bytes>,\"issuedAt\":<seconds>}; \(Self.remedy)", place: path)
    }
    self.init(secret: secret, issuedAt: issuedAt)
  }

  // MARK: Checks

  /// What is wrong with the file in a cloud's folder; nothing if there is none and no account.
  static func faults(in folder: String) -> [FileFault] {
    let path = folder + "/" + fileName
    do throws(StoreError) {
      if try Self(in: folder) == nil, let lost = try loss(in: folder) { throw lost }
    } catch {
      return [FileFault(error)]
    }
    return [FileFault(permissionsOf: path), FileFault(secretAt: path)].compactMap(\.self)
  }

  /// Makes new keys if accounts have lost theirs. A file with another content is moved to the folder `backup`. The caller
  /// holds the cloud's lock.
  static func repair(in folder: String, backup: String, at now: WallTime) throws(StoreError) -> [CloudRepair.Deed] {
    let path = folder + "/" + fileName
    do throws(StoreError) {
      guard try Self(in: folder) == nil, try loss(in: folder) != nil else { return [] }
    } catch {
      guard error.kind == .corrupt else { return [] }
      try Folder.make(backup)
      try Folder.rename(path, to: backup + "/" + fileName)
    }
    _ = try Self(makingFileIn: folder, at: now)
    return [CloudRepair.Deed(place: path, what: "made anew; all sessions have ended, and clients need the new keys")]
  }

  /// The error of a folder that has accounts and no keys.
  private static func loss(in folder: String) throws(StoreError) -> StoreError? {
    guard try AccountFiles.hasAccounts(root: folder) else { return nil }
    return StoreError(
      .corrupt, "the file is missing, and there are or were accounts with sessions that it signed; \(remedy)",
      place: folder + "/" + fileName)
  }

  /// All keys, for the server's owner. `url` is that of the server.
  func document(url: String) -> JSON {
    [
      "url": .string(url), "anonKey": .string(anonymousKey), "serviceRoleKey": .string(serviceKey),
      "publishableKey": .string(publishableKey), "secretKey": .string(secretKey),
      "jwtSecret": .string(Base64.encode(secret)),
    ]
  }

  // MARK: Tokens

  /// The signature of bytes.
  func signature(of bytes: [UInt8]) -> [UInt8] { SHA256.authenticationCode(of: bytes, key: secret) }

  /// The claims of a token, whose times are not judged. Throws if it is not one of this server.
  func claims(of text: String) throws(TokenProblem) -> AccountClaims { try verified(text).claims() }

  /// The path of the object to which a token of this server is a link. Throws if the token is not valid at that time.
  func objectPath(of text: String, at now: WallTime) throws(TokenProblem) -> String {
    try verified(text).objectPath(at: now)
  }

  private func verified(_ text: String) throws(TokenProblem) -> JSONWebToken {
    if let known = verifiedTokens.token(of: text) { return known }
    let token = try JSONWebToken(parsing: text)
    guard ConstantTime.areEqual(token.signature, signature(of: token.signedBytes)) else { throw .signature }
    verifiedTokens.add(token, text)
    return token
  }
}
