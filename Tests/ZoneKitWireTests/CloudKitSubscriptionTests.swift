import ZoneKitRecords
import Testing
import ZoneKitWire

@Suite struct CloudKitSubscriptionTests {
  private func operations(_ operations: String) throws -> [SubscriptionOperation] {
    let request = try CloudKit.request("subscriptions/modify", #"{"operations":[\#(operations)]}"#).request
    guard case .modifySubscriptions(let operations) = request else { throw CloudError(.internalError, "no list") }
    return operations
  }

  private func create(_ subscription: String) throws -> SubscriptionOperation? {
    try operations(#"{"operationType":"create","subscription":\#(subscription)}"#).first
  }

  @Test func `subscriptions are created, updated and deleted in order`() throws {
    let all = try operations(
      #"""
      {"operationType":"create","subscription":{"subscriptionID":"db","subscriptionType":"database",
        "notificationInfo":{"shouldSendContentAvailable":true}}},
      {"operationType":"update","subscription":{"subscriptionID":"z","subscriptionType":"zone",
        "zoneID":{"zoneName":"Notes","ownerName":"_u"},"firesOnce":true,"zoneWide":false,"firesOn":[]}},
      {"operationType":"delete","subscription":{"subscriptionID":"old"}}
      """#)
    #expect(
      all == [
        .create(Subscription(subscriptionID: "db", kind: .database, notificationInfo: .silent)),
        .update(
          Subscription(
            subscriptionID: "z", kind: .zone(ZoneID(zoneName: "Notes", owner: .user("_u"))), notificationInfo: nil,
            firesOnce: true)),
        .delete("old"),
      ])
  }

  @Test func `all of the notification info is read, and null is nothing`() throws {
    var info = NotificationInfo(alertBody: "body", shouldBadge: true, shouldSendContentAvailable: true)
    info.alertLocalizationKey = "key"
    info.alertLocalizationArgs = ["a", "b"]
    info.alertActionLocalizationKey = "action"
    info.alertLaunchImage = "image"
    info.soundName = "sound"
    info.category = "category"
    let text = #"""
      {"subscriptionID":"s","subscriptionType":"database","notificationInfo":{"alertBody":"body",
       "alertLocalizationKey":"key","alertLocalizationArgs":["a","b"],"alertActionLocalizationKey":"action",
       "alertLaunchImage":"image","soundName":"sound","category":"category","shouldBadge":true,
       "shouldSendContentAvailable":true}}
      """#
    #expect(
      try create(text) == .create(Subscription(subscriptionID: "s", kind: .database, notificationInfo: info)))
    let empty = #"""
      {"subscriptionID":null,"subscriptionType":"database","firesOnce":null,"notificationInfo":{"alertBody":null,
       "alertLocalizationArgs":null,"shouldBadge":null}}
      """#
    #expect(
      try create(empty)
        == .create(Subscription(subscriptionID: "", kind: .database, notificationInfo: NotificationInfo())))
    let none = #"{"subscriptionID":"s","subscriptionType":"database","notificationInfo":null}"#
    #expect(try create(none) == .create(Subscription(subscriptionID: "s", kind: .database, notificationInfo: nil)))
  }

  @Test(arguments: [
    ("", "subscriptionType must be query, zone or database"),
    (#","subscriptionType":"all""#, "subscriptionType must be query, zone or database"),
    (#","subscriptionType":"query""#, "query must be an object"),
    (
      #","subscriptionType":"query","query":{"recordType":"Note"},"firesOn":["burn"]"#,
      "firesOn must be an array of at least one of create, update, delete"
    ),
    (#","subscriptionType":"query","query":{},"firesOn":["create"]"#, "query.recordType must be a string, not empty"),
    (#","subscriptionType":"zone""#, #"a zone subscription needs a zoneID such as {"zoneName":"Notes"}"#),
    (
      #","subscriptionType":"zone","zoneID":"Notes""#,
      #"a zone subscription needs a zoneID such as {"zoneName":"Notes"}"#
    ),
    (#","subscriptionType":"database","firesOnce":1"#, "firesOnce must be true or false"),
    (#","subscriptionType":"database","notificationInfo":[]"#, "notificationInfo must be an object"),
    (
      #","subscriptionType":"database","notificationInfo":{"alertBody":1}"#,
      "notificationInfo.alertBody must be a string"
    ),
    (
      #","subscriptionType":"database","notificationInfo":{"alertLocalizationArgs":["a",1]}"#,
      "notificationInfo.alertLocalizationArgs[1] must be a string"
    ),
    (
      #","subscriptionType":"database","notificationInfo":{"shouldBadge":"yes"}"#,
      "notificationInfo.shouldBadge must be true or false"
    ),
  ])
  func `a subscription that cannot be one is its operation's trouble alone`(members: String, reason: String) throws {
    #expect(
      try create(#"{"subscriptionID":"s"\#(members)}"#)
        == .malformed(subscriptionID: "s", CloudError(.invalidArguments, reason)))
  }

  @Test(arguments: [
    (#"{"operationType":"create"}"#, "operations[0].subscription must be an object"),
    (#"{"operationType":"delete","subscription":{}}"#, "operations[0].subscription.subscriptionID must be a string"),
    (#"{"operationType":"drop","subscription":{}}"#, "operations[0].operationType must be create, update or delete"),
  ])
  func `what is no operation is named with its place`(operation: String, reason: String) throws {
    #expect(
      try CloudKit.refusal("subscriptions/modify", #"{"operations":[\#(operation)]}"#) == .badRequest(reason))
  }

  @Test func `subscriptions are looked up by object or by bare name`() throws {
    let body = #"{"subscriptions":["a",{"subscriptionID":"b"}]}"#
    #expect(try CloudKit.request("subscriptions/lookup", body).request == .lookupSubscriptions(["a", "b"]))
  }
}
