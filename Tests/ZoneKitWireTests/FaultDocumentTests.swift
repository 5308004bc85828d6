import ZoneKitRecords
import ZoneKitWire
import Testing

@Suite struct `a fault plan's text` {
  private func read(_ text: String) throws -> [Fault] { try FaultDocument(JSON(parsing: text)).faults }

  private func problem(_ text: String) throws -> String? {
    let document = try JSON(parsing: text)
    return #expect(throws: MemberError.self) { try FaultDocument(document) }?.description
  }

  @Test func `is equal after writing and reading, except for counts`() throws {
    let error = CloudError(.requestRateLimited, "slow", retryAfterMilliseconds: 30_000)
    let scope = FaultScope(
      .saveRecords, .lookupZones, user: "nanny", deviceID: "d1", databaseScope: .private, zoneName: "Notes",
      recordNames: ["a", "b"], itemsAbove: 200)
    let actions: [FaultAction] = [
      .refuse(error), .refuseItems(CloudError(.zoneBusy, "busy")), .loseRequest, .loseAnswer,
      .delayAnswer(milliseconds: 7), .repeatRequest, .staleFeed(milliseconds: 8), .stuckToken, .listZone("Ghost"),
      .omitRecords, .doubleRecords, .forgetSubscriptions, .muteSubscriptions,
      .table(.reject(ServiceRefusal(503, code: "53100", "full", retryAfter: 4))), .table(.rejectItems(code: "23503")),
      .table(.staleRows(milliseconds: 9)), .table(.omitRows), .table(.doubleRows), .table(.cutSocket(code: 4000)),
      .table(.cutSocket(code: nil)), .table(.silentJoin), .table(.refuseJoin(reason: "no")),
      .table(.deafJoin(milliseconds: 10)), .table(.muteHeartbeat), .push(.drop), .push(.duplicate),
      .push(.delay(milliseconds: 11)), .push(.swap), .push(.prune), .push(.withoutID), .push(.misaddress),
      .table(.expireTokens), .table(.endSession), .table(.skewTokens(milliseconds: -12)),
      .table(.restamp(milliseconds: 13)),
    ]
    let all = Fault(.loseAnswer, on: scope, name: "all", after: 2, times: 3, perMille: 4)
    let rows = FaultScope(tables: [.readRows, .joinChannel], user: "mara@example.test", table: "persons")
    var way = FaultScope(user: "nanny", zoneName: "Notes")
    (way.receiver, way.author, way.subscriptionID) = ("B", "A", "all")
    var event = FaultScope(tables: [.changeEvent], table: "persons")
    (event.receiver, event.topic) = ("B", "realtime:a")
    let pushes =
      [Fault(.push(.drop), on: way, times: 1)]
      + [PushFault.drop, .duplicate, .swap, .prune].map {
        Fault(.push($0), on: event)
      }
    let faults = actions.map { Fault($0) } + pushes + [all, Fault(.table(.skewTokens(milliseconds: 1)), on: rows)]
    let planned = faults.enumerated().map { PlannedFault(id: $0.offset + 1, fault: $0.element) }
    #expect(try read(FaultDocument.json(of: planned).text()) == faults)
  }

  @Test func `is short where everything is as usual`() throws {
    #expect(
      try read(#"{"faults":[{"do":"loseAnswer","on":["saveRecords"],"times":1}]}"#) == [
        Fault(.loseAnswer, on: FaultScope(.saveRecords), times: 1)
      ])
    #expect(try read(#"{"faults":[]}"#) == [])
  }

  @Test func `takes the device of a push as its receiver, and the words for events alone`() throws {
    var scope = FaultScope(tables: [.changeEvent])
    scope.receiver = "B"
    #expect(try read(#"{"faults":[{"do":"dropEvent","device":"B"}]}"#) == [Fault(.push(.drop), on: scope)])
    let listed = FaultDocument.json(of: [PlannedFault(id: 1, fault: Fault(.push(.drop), on: scope))])
    #expect(listed["faults"]?.array?.first?["do"]?.string == "dropEvent")
  }

  @Test func `tells a listed fault by its ID, and shows a note`() throws {
    let planned = PlannedFault(id: 7, fault: Fault(.loseAnswer))
    let document = FaultDocument.json(of: [planned], sentence: { "lose answer \($0)" }, note: { _ in "no" })
    #expect(FaultDocument.text(document["faults"]?.array?.first ?? .null) == "lose answer 7; no")
    #expect(try FaultDocument(document).sentences == ["lose answer 7"])
    #expect(document["faults"]?.array?.first?["note"]?.string == "no")
    #expect(try FaultDocument(document).ids == [7])
    #expect(try FaultDocument(JSON(parsing: #"{"faults":[{"do":"loseAnswer"}]}"#)).ids == [nil])
  }

  @Test(arguments: [
    (#"{}"#, #"faults must be an array, as in {"faults":[{"do":"loseAnswer","times":1}]}"#),
    (#"{"faults":[7]}"#, "faults[0] must be an object, and is an integer"),
    (#"{"faults":[{"do":"loseAnswer"},{"what":1}]}"#, "faults[1].what is unknown; there are name, on, user"),
    (#"{"faults":[{"do":"explode"}]}"#, "faults[0].do must be refuse, refuseItems"),
    (#"{"faults":[{}]}"#, "faults[0].do must be refuse, refuseItems"),
    (#"{"faults":[{"do":"refuse","error":"none"}]}"#, "faults[0].error must be one of internalError"),
    (#"{"faults":[{"do":"delayAnswer"}]}"#, "faults[0].milliseconds must say how long"),
    (#"{"faults":[{"do":"staleFeed","milliseconds":-1}]}"#, "faults[0].milliseconds must be a whole number from 0"),
    (#"{"faults":[{"do":"listZone"}]}"#, "faults[0].listed must be the name of the zone to list"),
    (#"{"faults":[{"do":"loseAnswer","perMille":0}]}"#, "faults[0].perMille must be a whole number from 1 to 1000"),
    (#"{"faults":[{"do":"loseAnswer","on":["save"]}]}"#, "faults[0].on names save, which is not one of listZones"),
    (#"{"faults":[{"do":"loseAnswer","records":["a",1]}]}"#, "faults[0].records must be an array of strings"),
    (#"{"faults":[{"do":"loseAnswer","scope":"mine"}]}"#, "faults[0].scope must be private, shared or public"),
    (
      #"{"faults":[{"do":"omitRows","on":["readRows","heartbeat"]}]}"#,
      "faults[0].on names heartbeat, and omitRows applies to readRows, insertRows, upsertRows, updateRows, deleteRows"
    ), (#"{"faults":[{"do":"loseAnswer","on":["changeEvent"]}]}"#, "faults[0].on names changeEvent, and loseAnswer"),
    (#"{"faults":[{"do":"stuckToken","on":["readRows"]}]}"#, "faults[0].on names readRows, and stuckToken applies"),
    (#"{"faults":[{"do":"refuse","status":200}]}"#, "faults[0].status must be a whole number from 400 to 599"),
    (#"{"faults":[{"do":"cutSocket","code":7}]}"#, "faults[0].code must be a whole number from 1000 to 4999"),
    (#"{"faults":[{"do":"deafJoin"}]}"#, "faults[0].milliseconds must say how long"),
    (#"{"faults":[{"do":"skewTokens"}]}"#, "faults[0].milliseconds must say how far the clock is ahead"),
    (#"{"faults":[{"do":"refuseJoin"}]}"#, "faults[0].reason must be the reason in the reply"),
    (#"{"faults":[{"do":"dropPush","on":["saveRecords"]}]}"#, "faults[0].on names saveRecords, and dropPush applies"),
    (
      #"{"faults":[{"do":"dropEvent","on":["push"]}]}"#, "faults[0].on names push, and dropEvent applies to changeEvent"
    ),
    (
      #"{"faults":[{"do":"misaddressPush","on":["changeEvent"]}]}"#,
      "faults[0].on names changeEvent, and misaddressPush"
    ),
    (#"{"faults":[{"do":"loseAnswer","receiver":"B"}]}"#, "faults[0].receiver applies to pushes and events; a request"),
    (#"{"faults":[{"do":"loseAnswer","author":"B"}]}"#, "faults[0].author applies to pushes and events; a request has"),
    (#"{"faults":[{"do":"dropPush","device":"A","receiver":"B"}]}"#, "faults[0].device is the receiver of a push, as"),
    (#"{"faults":[{"do":"dropEvent","subscription":"a"}]}"#, "faults[0].subscription applies to notifications of the"),
    (
      #"{"faults":[{"do":"dropPush","on":["push"],"topic":"t"}]}"#, "faults[0].topic applies to events of channels, and"
    ),
    (
      #"{"faults":[{"do":"dropPush","topic":"t","subscription":"a"}]}"#, "faults[0].topic applies to events of channels"
    ),
    (
      #"{"faults":[{"do":"dropPush","itemsAbove":3}]}"#,
      "faults[0].itemsAbove applies to requests, and dropPush does not"
    ),
    (
      #"{"faults":[{"do":"stuckToken","table":"persons"}]}"#, "faults[0].table applies to requests for tables and their"
    ),
    (
      #"{"faults":[{"do":"omitRows","zone":"Notes"}]}"#,
      "faults[0].zone applies to requests for zones and notifications"
    ),
    (#"{"faults":[{"do":"omitRecords","on":["saveRecords"]}]}"#, "faults[0].on names saveRecords, and omitRecords"),
    (#"{"faults":[{"do":"listZone","listed":"Ghost","zone":"Notes"}]}"#, "faults[0].zone applies to items, and the"),
    (#"{"faults":[{"do":7}]}"#, "faults[0].do must be a string, and is an integer"),
  ])
  func `that cannot be read is answered with where and what would be right`(text: String, words: String) throws {
    let found = try #require(try problem(text))
    #expect(found.hasPrefix(words), "\(found)")
  }
}
