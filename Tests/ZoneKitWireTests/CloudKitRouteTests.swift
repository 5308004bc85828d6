import ZoneKitRecords
import Testing
import ZoneKitWire

@Suite struct CloudKitRouteTests {
  private static let served: [(String, Endpoint, [String])] = [
    ("zones/list", .zonesList, ["GET", "POST"]), ("zones/lookup", .zonesLookup, ["POST"]),
    ("zones/modify", .zonesModify, ["POST"]), ("records/modify", .recordsModify, ["POST"]),
    ("records/lookup", .recordsLookup, ["POST"]), ("records/query", .recordsQuery, ["POST"]),
    ("internal/records/query/batch", .recordsQueryBatch, ["POST"]), ("records/changes", .recordsChanges, ["POST"]),
    ("zones/changes", .zonesChanges, ["POST"]), ("records/resolve", .recordsResolve, ["POST"]),
    ("records/accept", .recordsAccept, ["POST"]), ("assets/upload", .assetsUpload, ["POST"]),
    ("assets/rereference", .assetsRereference, ["POST"]), ("changes/database", .changesDatabase, ["POST"]),
    ("changes/zone", .changesZone, ["POST"]), ("subscriptions/list", .subscriptionsList, ["GET", "POST"]),
    ("subscriptions/lookup", .subscriptionsLookup, ["POST"]),
    ("subscriptions/modify", .subscriptionsModify, ["POST"]), ("users/caller", .usersCaller, ["GET", "POST"]),
    ("users/current", .usersCurrent, ["GET", "POST"]), ("users/discover", .usersDiscover, ["GET", "POST"]),
    ("users/lookup/email", .usersLookupEmail, ["POST"]), ("users/lookup/id", .usersLookupID, ["POST"]),
    ("users/lookup/contacts", .usersLookupContacts, ["POST"]), ("tokens/create", .tokensCreate, ["POST"]),
    ("tokens/register", .tokensRegister, ["POST"]),
  ]

  private func failure(_ method: String, _ path: String) -> RequestFailure? {
    do throws(RequestFailure) {
      _ = try Route(method: method, path: path)
      return nil
    } catch {
      return error
    }
  }

  @Test func `every endpoint is in the table of these tests`() {
    #expect(Self.served.map(\.1) == Endpoint.allCases)
  }

  @Test(arguments: served)
  func `an endpoint is reached in each database by its methods alone`(
    operation: String, endpoint: Endpoint, methods: [String]
  ) throws {
    for scope in DatabaseScope.allCases {
      let path = "/database/1/iCloud.x/production/\(scope.rawValue)/\(operation)"
      for method in ["GET", "POST", "PUT", "HEAD", "DELETE", "get"] {
        guard methods.contains(method) else {
          #expect(failure(method, path) == .methodNotAllowed(methods))
          continue
        }
        let route = try Route(method: method, path: path)
        #expect(route.endpoint == endpoint)
        #expect(route.scope == scope)
        #expect(route.container == "iCloud.x")
        #expect(route.environment == .production)
      }
    }
  }

  @Test(arguments: ["/device/1/c/development/", "/database/1/c/development/", "/database/1/c/development/private/"])
  func `token operations are private and stand under both roots`(root: String) throws {
    for endpoint in [Endpoint.tokensCreate, .tokensRegister] {
      let route = try Route(method: "POST", path: root + endpoint.rawValue)
      #expect(route.endpoint == endpoint)
      #expect(route.scope == .private)
      #expect(failure("GET", root + endpoint.rawValue) == .methodNotAllowed(["POST"]))
    }
  }

  @Test(arguments: [
    "", "*", "/", "//", "/database", "/database/1", "/database/1/c/development", "/database/1/c/development/",
    "/database/1/c/development/private", "/database/1/c/development/private/",
    "/database/1/c/development/private/records", "/database/1/c/development/private/zones/list/",
    "/database/1/c/development/private//zones/list", "/database/1/c/development/zones/list",
    "/database/1/c/development/Private/zones/list", "/database/2/c/development/private/zones/list",
    "/Database/1/c/development/private/zones/list", "/device/1/c/development/zones/list",
    "/device/1/c/development/private/tokens/create", "/device/1/c/development/private/zones/list",
    "database/1/c/development/private/zones/list", "/x/database/1/c/development/private/zones/list",
    "/database/1/c/development/private/zones%2Flist", "/aps", "/database/1/c/development/private/zones/liste\u{301}",
  ])
  func `an unknown path is not found, and named`(path: String) {
    #expect(failure("POST", path) == .notFound("could not find handler for endpoint \(path)"))
  }

  @Test(arguments: [
    ("iCloud.com.example%2Fa%20b", "iCloud.com.example/a b"), ("com.apple.notes", "com.apple.notes"),
    ("%C3%A9", "é"), ("a+b", "a+b"), (String(repeating: "c", count: 255), String(repeating: "c", count: 255)),
  ])
  func `a container may be percent-encoded and have any prefix`(encoded: String, container: String) throws {
    let route = try Route(method: "GET", path: "/database/1/\(encoded)/development/private/zones/list")
    #expect(route.container == Name(container))
  }

  @Test(arguments: ["", "%", "%2", "%zz", "%FF", String(repeating: "c", count: 256)])
  func `a container that is none is refused`(encoded: String) {
    let expected = RequestFailure.badRequest("the path needs a container of 1 to 255 bytes of UTF-8 after /1/")
    #expect(failure("GET", "/database/1/\(encoded)/development/private/zones/list") == expected)
  }

  @Test func `an environment that is none is refused and named`() {
    #expect(
      failure("GET", "/database/1/c/staging/private/zones/list")
        == .badRequest("the environment must be development or production, not staging"))
  }

  @Test func `the query carries the tokens, decoded without plus signs becoming spaces`() throws {
    let target =
      "/database/1/c/development/private/zones/list?ckAPIToken=abc&ckWebAuthToken=a%2Bb+c%3D%3D&clientId=d7&x=%20"
    let request = try CloudKitRequest(try #require(CloudKit.http(target, method: "GET")))
    #expect(request.credentials.apiToken == "abc")
    #expect(request.credentials.webAuthToken == "a+b+c==")
    #expect(request.credentials.deviceID == "d7")
    #expect(request.request == .listZones)
  }

  @Test(
    arguments: [
      ("?clientId=", "{\"clientId\":\"body\"}", "body"), ("", "{\"clientId\":\"body\"}", "body"),
      ("?clientId=query", "{\"clientId\":\"body\"}", "query"), ("", "{\"clientId\":null}", nil),
      ("", "{\"clientId\":\"\"}", nil), ("", "", nil),
    ] as [(String, String, String?)])
  func `the device is named by the query, else by the body`(query: String, body: String, device: String?) throws {
    let http = CloudKit.http("/database/1/c/development/private/zones/list\(query)", [UInt8](body.utf8))
    #expect(try CloudKitRequest(try #require(http)).credentials.deviceID == device)
  }

  @Test func `a badly encoded query is refused`() throws {
    let http = try #require(CloudKit.http("/database/1/c/development/private/zones/list?ckAPIToken=%2", method: "GET"))
    #expect(throws: RequestFailure.self) { try CloudKitRequest(http) }
  }
}
