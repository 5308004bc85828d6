import ZoneKitRecords
import ZoneKitWire
import Testing

@Suite struct `a fault plan's text` {
  private func read(_ text: String) throws -> [Fault] { try FaultDocument(JSON(parsing: text)).faults }

  private func problem(_ text: String) throws -> String? {
    let document = try JSON(parsing: text)
    return #expect(throws: ControlReadingError.self) { try FaultDocument(document) }?.description
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
      .table(.deafJoin(milliseconds: 10)), .table(.dropEvent), .table(.doubleEvent),
      .table(.delayEvent(milliseconds: 11)), .table(.swapEvents), .table(.cutEvent), .table(.muteHeartbeat),
      .table(.expireTokens), .table(.endSession), .table(.skewTokens(milliseconds: -12)),
      .table(.restamp(milliseconds: 13)),
    ]
    let all = Fault(.loseAnswer, on: scope, name: "all", after: 2, times: 3, perMille: 4)
    let rows = FaultScope(tables: [.readRows, .joinChannel], user: "mara@example.test", table: "persons")
    let faults = actions.map { Fault($0) } + [all, Fault(.table(.skewTokens(milliseconds: 1)), on: rows)]
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
    (#"{"faults":[{"do":"loseAnswer","on":["save"]}]}"#, "faults[0].on names save, which is none of listZones"),
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
    (#"{"faults":[{"do":7}]}"#, "faults[0].do must be a string, and is an integer"),
  ])
  func `that cannot be read is answered with where and what would be right`(text: String, words: String) throws {
    let found = try #require(try problem(text))
    #expect(found.hasPrefix(words), "\(found)")
  }
}
