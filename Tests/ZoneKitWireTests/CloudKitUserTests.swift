import Testing
import ZoneKitRecords
import ZoneKitWire

@Suite struct `users over CloudKit Web Services` {
  private static let ann = UserIdentity(
    userRecordName: "_user01", firstName: "Ann", lastName: "Lee", emailAddress: "ann@example.com")
  private static let nameless = UserIdentity(userRecordName: "_user02")

  @Test func `the caller is answered with the members of both known forms`() throws {
    let own = UserResult.user(Self.ann, .userRecordName("_user01"))
    let expected = #"""
      {"userRecordName":"_user01","firstName":"Ann","lastName":"Lee",
       "nameComponents":{"givenName":"Ann","familyName":"Lee"},
       "lookupInfo":{"userRecordName":"_user01"},
       "users":[{"userRecordName":"_user01","nameComponents":{"givenName":"Ann","familyName":"Lee"},
                 "lookupInfo":{"userRecordName":"_user01"}}]}
      """#
    let answer = try CloudKit.answer(.users([own]), to: "users/caller")
    #expect(answer.status == 200)
    #expect(try CloudKit.canonical(answer.text) == CloudKit.canonical(expected))
    #expect(
      try CloudKit.answer(.users([own]), to: "users/current").text
        == #"{"userRecordName":"_user01","firstName":"Ann","lastName":"Lee"}"#)
    #expect(
      try CloudKit.answer(.users([.user(Self.nameless, .userRecordName("_user02"))]), to: "users/current").text
        == #"{"userRecordName":"_user02"}"#)
  }

  @Test func `discovered users carry what found them`() throws {
    let found: [UserResult] = [
      .user(Self.ann, .emailAddress("ann@example.com")), .user(Self.nameless, .phoneNumber("+49")),
    ]
    let body = #"{"lookupInfos":[{"emailAddress":"ann@example.com"},{"phoneNumber":"+49"}]}"#
    #expect(
      try CloudKit.answer(.users(found), to: "users/discover", body).text
        == #"{"users":[{"userRecordName":"_user01","nameComponents":{"givenName":"Ann","familyName":"Lee"},"#
        + #""lookupInfo":{"emailAddress":"ann@example.com"}},{"userRecordName":"_user02","nameComponents":{},"#
        + #""lookupInfo":{"phoneNumber":"+49"}}]}"#)
    #expect(try CloudKit.answer(.users([]), to: "users/lookup/contacts").text == #"{"users":[]}"#)
  }

  @Test func `each user of a lookup is a user or an error with what was looked up`() throws {
    let results: [UserResult] = [
      .user(Self.ann, .userRecordName("_user01")), .failed(.userRecordName("_x"), CloudError(.unknownItem, "no")),
    ]
    let answer = try CloudKit.answer(
      .users(results), to: "users/lookup/id", #"{"users":[{"userRecordName":"_user01"},{"userRecordName":"_x"}]}"#)
    #expect(answer.status == 200)
    #expect(
      answer.text
        == #"{"users":[{"userRecordName":"_user01","firstName":"Ann","lastName":"Lee","emailAddress":"ann@example.com"},"#
        + #"{"userRecordName":"_x","serverErrorCode":"NOT_FOUND","reason":"no"}]}"#)
  }

  @Test func `requests name users by one of three properties`() throws {
    let body = #"{"lookupInfos":[{"emailAddress":"a"},{"phoneNumber":"b","emailAddress":null},{"userRecordName":"c"}]}"#
    #expect(
      try CloudKit.request("users/discover", body).request
        == .fetchUsers(.discover([.emailAddress("a"), .phoneNumber("b"), .userRecordName("c")])))
    #expect(
      try CloudKit.request("users/lookup/email", #"{"users":[{"emailAddress":"a"}]}"#).request
        == .fetchUsers(.lookup([.emailAddress("a")])))
    #expect(
      try CloudKit.request("users/lookup/id", #"{"users":[{"userRecordName":"_a"}]}"#).request
        == .fetchUsers(.lookup([.userRecordName("_a")])))
    #expect(
      try CloudKit.request("users/lookup/contacts", #"{"contacts":[{"emailAddress":"a"}]}"#).request
        == .fetchUsers(.discover([])))
    for endpoint in ["users/caller", "users/current"] {
      #expect(try CloudKit.request(endpoint, "").request == .fetchUsers(.caller))
    }
  }

  @Test(arguments: ["public", "private", "shared"])
  func `the caller and the contacts are asked for with GET in every database`(scope: String) throws {
    for (endpoint, query) in [
      ("users/caller", UserQuery.caller), ("users/current", .caller), ("users/discover", .discover([])),
    ] {
      let http = try #require(CloudKit.http("/database/1/iCloud.x/development/\(scope)/\(endpoint)", method: "GET"))
      #expect(try CloudKitRequest(http).request == .fetchUsers(query))
    }
    let lookup = try #require(
      CloudKit.http("/database/1/iCloud.x/development/\(scope)/users/lookup/email", method: "GET"))
    #expect(throws: RequestFailure.methodNotAllowed(["POST"])) { try CloudKitRequest(lookup) }
  }

  @Test(arguments: [
    ("users/discover", "{}", "lookupInfos must be an array"),
    (
      "users/discover", #"{"lookupInfos":[{"emailAddress":"a"},{}]}"#,
      "lookupInfos[1] must have userRecordName, emailAddress or phoneNumber"
    ),
    ("users/discover", #"{"lookupInfos":[{"emailAddress":7}]}"#, "lookupInfos[0].emailAddress must be a string"),
    (
      "users/lookup/email", #"{"users":[{"userRecordName":"_a"}]}"#, "users[0].emailAddress must be a string, not empty"
    ),
    ("users/lookup/id", #"{"users":{}}"#, "users must be an array"),
  ])
  func `a request that names nobody says where`(endpoint: String, body: String, reason: String) throws {
    #expect(try CloudKit.refusal(endpoint, body) == .badRequest(reason))
  }
}
