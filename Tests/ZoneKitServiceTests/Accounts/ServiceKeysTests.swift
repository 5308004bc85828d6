import Testing
import ZoneKitCloudProcess
import ZoneKitRecords
import ZoneKitStorage
import ZoneKitTableServer
import ZoneKitTables
import ZoneKitWire

@testable import ZoneKitService

@Suite struct `the keys of a server` {
  private let now = WallTime(milliseconds: 1_800_000_000_000)

  /// Runs `body` with a folder that does not exist yet.
  private func inFolder(_ body: (String) throws -> Void) throws {
    let parent = try Folder.makeTemporary()
    defer { #expect(throws: Never.self) { try Folder.remove(parent) } }
    try body(parent + "/cloud")
  }

  @Test func `are made once, in a file for its owner only`() throws {
    try inFolder { folder in
      #expect(try ServiceKeys(in: folder) == nil)
      let made = try ServiceKeys(of: folder, at: now)
      let again = try ServiceKeys(of: folder, at: now.advanced(byMilliseconds: 86_400_000))
      #expect(made.document(url: "u") == again.document(url: "u"))
      #expect(!Folder.isOpenToOthers(folder + "/keys.json"))
      let other = try ServiceKeys(of: folder + "/other", at: now)
      #expect(other.anonymousKey != made.anonymousKey && other.publishableKey != made.publishableKey)
    }
  }

  @Test func `are tokens of their roles for ten years`() throws {
    let keys = ServiceKeys(secret: [UInt8](repeating: 7, count: 32), issuedAt: 1_800_000_000)
    #expect(try keys.claims(of: keys.anonymousKey).role == .anonymous)
    let claims = try keys.claims(of: keys.serviceKey)
    #expect(claims.role == .service && claims.problem(at: now) == nil)
    let late = now.advanced(byMilliseconds: 3653 * 86_400_000 + 30_000)
    #expect(claims.problem(at: late) == .expired(seconds: 30))
    #expect(keys.publishableKey.hasPrefix("sb_publishable_") && keys.secretKey.hasPrefix("sb_secret_"))
  }

  @Test(arguments: ["", "{}", "[]", #"{"jwtSecret":"AAAA","issuedAt":1}"#, #"{"jwtSecret":1,"issuedAt":1}"#])
  func `are not replaced if their file has another content`(content: String) throws {
    try inFolder { folder in
      try Folder.make(folder)
      try Folder.write(Array(content.utf8), to: folder + "/keys.json")
      let error = #expect(throws: StoreError.self) { try ServiceKeys(of: folder, at: now) }
      #expect(error?.kind == .corrupt && error?.place.hasSuffix("keys.json") == true)
      #expect(try Folder.read(folder + "/keys.json") == Array(content.utf8))
    }
  }

  @Test func `are not made anew while there are accounts, and a check names them`() throws {
    try inFolder { folder in
      #expect(ServiceKeys.faults(in: folder) == [])
      let app = TableApp(
        name: "app", container: "com.example.app", environment: .development, zone: "App", schema: TableSchema([]))
      let accounts = AccountFiles(root: folder, app: app)
      defer { accounts.close() }
      _ = try ServiceKeys(of: folder, at: now)
      var change = AccountTransition()
      let account = Account(id: UUID(high: 0, low: 1), email: "a@b.test", createdAt: now, updatedAt: now)
      change.accounts = [StoredAccount(account, password: nil)]
      accounts.stage(change)
      #expect(accounts.commit() == nil && ServiceKeys.faults(in: folder) == [])
      try Folder.remove(folder + "/keys.json")
      #expect(throws: StoreError.self) { try ServiceKeys(of: folder, at: now) }
      #expect(ServiceKeys.faults(in: folder).map(\.place) == [folder + "/keys.json"])
      #expect(try ServiceKeys.repair(in: folder, backup: folder + "/backup", at: now).count == 1)
      #expect(try ServiceKeys(in: folder) != nil && ServiceKeys.faults(in: folder) == [])
      #expect(try ServiceKeys.repair(in: folder, backup: folder + "/backup", at: now).isEmpty)
    }
  }

  @Test func `sign what nobody else can change`() throws {
    let keys = ServiceKeys(secret: [UInt8](repeating: 7, count: 32), issuedAt: 1_800_000_000)
    let other = ServiceKeys(secret: [UInt8](repeating: 8, count: 32), issuedAt: 1_800_000_000)
    #expect(throws: TokenProblem.signature) { try other.claims(of: keys.serviceKey) }
    let good = Array(keys.anonymousKey.utf8)
    var generator = SplitMix64(seed: 1)
    for round in 0..<10_000 {
      var bytes = good
      let place = Int.random(in: 0..<bytes.count, using: &generator)
      switch round % 3 {
      case 0: bytes[place] = UInt8.random(in: 0x21...0x7E, using: &generator)
      case 1: bytes.removeLast(1 + place % 60)
      default: bytes.swapAt(place, Int.random(in: 0..<bytes.count, using: &generator))
      }
      guard bytes != good else { continue }
      #expect(throws: TokenProblem.self) { try keys.claims(of: String(decoding: bytes, as: UTF8.self)) }
    }
  }
}

@Suite struct `the tokens that were verified` {
  private let now = WallTime(milliseconds: 1_800_000_000_000)
  private let keys = ServiceKeys(secret: [UInt8](repeating: 7, count: 32), issuedAt: 1_800_000_000)

  private func token(_ number: Int, expiresAt: Int64) -> String {
    JSONWebToken.text(
      of: AccountClaims(
        role: .authenticated, account: UUID(high: 1, low: UInt64(number)), issuedAt: 1_800_000_000, expiresAt: expiresAt
      ),
      issuer: "i"
    ) { keys.signature(of: $0) }
  }

  @Test func `have the same claims each time`() throws {
    let text = token(1, expiresAt: 1_800_000_100)
    for _ in 1...2 {
      let claims = try keys.claims(of: text)
      #expect(claims.account == UUID(high: 1, low: 1) && claims.expiresAt == 1_800_000_100)
    }
  }

  @Test func `are a limited number, of which those in use stay`() throws {
    let tokens = VerifiedTokens()
    let used = token(0, expiresAt: 1_900_000_000)
    tokens.add(try JSONWebToken(parsing: used), used)
    for number in 1...2 * VerifiedTokens.limit {
      let text = token(number, expiresAt: 1_900_000_000)
      tokens.add(try JSONWebToken(parsing: text), text)
      #expect(tokens.count <= VerifiedTokens.limit)
      if number % 100 == 0 { #expect(tokens.token(of: used) != nil) }
    }
    #expect(tokens.token(of: token(1, expiresAt: 1_900_000_000)) == nil)
    #expect(tokens.token(of: used) != nil)
  }
}

@Suite struct `the sender of a request` {
  private let now = WallTime(milliseconds: 1_800_000_000_000)
  private let keys = ServiceKeys(secret: [UInt8](repeating: 7, count: 32), issuedAt: 1_800_000_000)

  private static let account = UUID(high: 1, low: 2)

  /// The sender of a request.
  private func sender(_ key: String?, bearer: String? = nil, isOpen: Bool = false) throws -> TableSender {
    let fields = [("apikey", key), ("Authorization", bearer.map { "Bearer \($0)" })]
      .compactMap { name, value in value.map { "\(name): \($0)\r\n" } }.joined()
    var reader = HTTPRequestReader()
    let events = reader.receive(
      Array("GET /rest/v1/x HTTP/1.1\r\nHost: h\r\n\(fields)X-Client-Info: device=A\r\n\r\n".utf8))
    guard case .request(let request)? = events.first else { throw HTTPError(status: 400, reason: "no request") }
    return try TableAccess(keys: keys, isOpen: isOpen).sender(of: request)
  }

  private func token(_ claims: AccountClaims) -> String {
    JSONWebToken.text(of: claims, issuer: "i") { keys.signature(of: $0) }
  }

  @Test func `has the role of the key, which every request needs`() throws {
    #expect(try sender(keys.anonymousKey) == TableSender(.anonymous, deviceID: "A"))
    #expect(try sender(keys.publishableKey, bearer: keys.publishableKey) == TableSender(.anonymous, deviceID: "A"))
    #expect(try sender(keys.serviceKey).key == .service)
    #expect(try sender(keys.secretKey, bearer: keys.secretKey) == TableSender(.service, deviceID: "A"))
    #expect(throws: AccessProblem.noKey) { try sender(nil, bearer: keys.serviceKey) }
    #expect(throws: AccessProblem.wrongKey) { try sender("test") }
    #expect(try sender("test", isOpen: true).key == .anonymous)
    #expect(try sender(keys.secretKey, isOpen: true).key == .service)
    #expect(throws: AccessProblem.noKey) { try sender("", isOpen: true) }
  }

  @Test func `has the claims of its token, or what is wrong with it`() throws {
    let id = Self.account
    let claims = AccountClaims(role: .authenticated, account: id, issuedAt: 1_800_000_000, expiresAt: 1_800_000_060)
    let known = try sender(keys.serviceKey, bearer: token(claims))
    #expect(known.token == .success(claims) && known.account == id)
    #expect(try sender(keys.serviceKey, bearer: keys.anonymousKey).token?.get().role == .anonymous)
    #expect(try sender(keys.publishableKey, bearer: keys.secretKey).token?.get().role == .service)
    guard case .failure(.malformed)? = try sender("test", bearer: "other", isOpen: true).token else {
      return #expect(Bool(false), "the text is no token")
    }
  }
}
