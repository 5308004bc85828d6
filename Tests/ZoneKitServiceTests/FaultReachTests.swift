import ZoneKitRecords
import ZoneKitService
import ZoneKitTables
import ZoneKitWire
import Testing

/// What is said about a fault that can hit nothing.
struct FaultReachTests {
  /// A server with the devices A, with notifications, S, with events, and new, which has not connected yet.
  private static let reach: FaultReach = {
    var reach = FaultReach()
    reach.devices = ["A": [.notifications], "S": [.events], "new": [], "both": [.notifications, .events]]
    reach.schema = TableSchema([table("reminders", quiet: 500), table("persons"), table("transaction_splits")])
    reach.subscriptions = ["all"]
    reach.zones = ["Notes"]
    reach.users = ["nanny", "mara@example.test"]
    reach.records = ["n1"]
    return reach
  }()

  private static func table(_ name: Name, quiet: Int64? = nil) -> Table {
    Table(name, key: ["id"], ownership: .account(column: "owner"), quiet: quiet, columns: [])
  }

  private func note(_ members: String) throws -> String? {
    let body = #"{"faults":[{"# + members + "}]}"
    let fault = try #require(try FaultDocument(parsing: Array(body.utf8)).faults.first)
    return Self.reach.note(on: fault)
  }

  @Test(arguments: [
    #""do":"dropPush","receiver":"Q""#, #""do":"dropPush","author":"Q""#, #""do":"loseAnswer","device":"Q""#,
  ])
  func `a device that is not known is waited for`(members: String) throws {
    #expect(try note(members) == "no device Q is known here yet; the fault waits for one")
  }

  @Test(arguments: [
    (#""do":"dropPush","zone":"Nope""#, "zone Nope"), (#""do":"loseAnswer","zone":"Nope""#, "zone Nope"),
    (#""do":"omitRecords","records":["nope"]"#, "record nope"),
    (#""do":"dropPush","subscription":"x""#, "subscription x"),
  ])
  func `what is not there is waited for`(members: String, what: String) throws {
    #expect(try note(members) == "there is no \(what) yet; the fault waits for one")
  }

  @Test func `an account without data is waited for`() throws {
    let words = "has data here yet; the fault waits for one"
    #expect(try note(#""do":"dropPush","user":"nobody""#) == "no account nobody \(words)")
    #expect(try note(#""do":"expireTokens","user":"no@x.y""#) == "no account no@x.y \(words)")
  }

  @Test(arguments: ["persons", "transaction_splits"])
  func `a table whose changes make no events can have no fault of events`(table: String) throws {
    let words = "changes of \(table) make no events; the fault can hit nothing"
    #expect(try note(#""do":"dropEvent","table":"\#(table)""#) == words)
    #expect(try note(#""do":"delayPush","milliseconds":5,"table":"\#(table)""#) == words)
    #expect(try note(#""do":"omitRows","table":"\#(table)""#) == nil)
  }

  @Test func `a table that is not there, and a server without tables, are named`() throws {
    #expect(try note(#""do":"omitRows","table":"nope""#) == "there is no table nope")
    var reach = Self.reach
    reach.schema = nil
    let fault = try #require(try FaultDocument(parsing: Array(#"{"faults":[{"do":"dropEvent"}]}"#.utf8)).faults.first)
    #expect(reach.note(on: fault) == "this server has no tables")
  }

  @Test(arguments: [
    #""do":"pushWithoutID""#, #""do":"misaddressPush""#, #""do":"dropPush","zone":"Notes""#,
    #""do":"dropPush","subscription":"all""#, #""do":"dropPush","on":["push"]"#,
  ])
  func `a receiver of events gets no notification`(members: String) throws {
    let words = "S gets events of channels, which have no ID, zone or subscription; the fault can hit nothing"
    #expect(try note(members + #","receiver":"S""#) == words)
    for other in ["A", "new", "both"] { #expect(try note(members + #","receiver":"\#(other)""#) == nil) }
  }

  @Test(arguments: [
    #""do":"dropEvent""#, #""do":"dropPush","table":"reminders""#, #""do":"dropPush","topic":"realtime:a""#,
  ])
  func `a receiver of notifications gets no event`(members: String) throws {
    let words = "A gets notifications of the push service and no events of channels; the fault can hit nothing"
    #expect(try note(members + #","receiver":"A""#) == words)
    for other in ["S", "new", "both"] { #expect(try note(members + #","receiver":"\#(other)""#) == nil) }
  }

  @Test(arguments: [
    #""do":"dropPush","receiver":"S""#, #""do":"dropPush","receiver":"A","zone":"Notes","subscription":"all""#,
    #""do":"dropPush""#, #""do":"omitRecords","records":["n1","nope"]"#,
    #""do":"loseAnswer","user":"mara@example.test""#,
    #""do":"dropEvent","table":"reminders","receiver":"S""#,
  ])
  func `a fault that can hit something has no note`(members: String) throws {
    #expect(try note(members) == nil)
  }

  @Test func `a fault that may hit nothing is refused`() {
    #expect(throws: MemberError.self) { try note(#""do":"dropPush","times":0"#) }
  }
}
