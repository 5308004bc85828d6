import ZoneKitDeviceHost
import ZoneKitNannyAndMe
import ZoneKitRecords
import ZoneKitSync
import Testing

/// The app as a device runs it: through `DeviceApp`, over a store.
struct RunningNannyAppTests {
  private static func view(_ device: TestDevice, account: Name? = "nanny", hidden: [RecordID] = []) -> AppView {
    AppView(store: device.store, account: account, wall: morning, hidden: hidden)
  }

  private static func perform(_ line: String, in view: AppView) throws -> AppAnswer {
    var generator = SplitMix64(seed: 1)
    var app = try DeviceApp.nannyAndMe.launch(view)
    return try app.perform(line, in: view, using: &generator)
  }

  @Test func `an answer has edits, lines and members`() throws {
    let view = Self.view(try TestDevice())
    let answer = try Self.perform("log diaper pee", in: view)
    #expect(answer.edits.count == 2)
    #expect(answer.lines().first?.hasPrefix("logged diaper pee ") == true)
    #expect(answer.members(in: view).map(\.key) == ["said", "records", "kinds"])
  }

  @Test func `a number stands for an action, counted round in the order of the IDs`() throws {
    let view = Self.view(try TestDevice([.sleep(2, from: 0, to: 1), .sleep(1, from: 2, to: 3)]))
    let deleted = try ["@1", "@2", "@3"].map { try Self.perform("delete \($0)", in: view).edits }
    #expect(deleted == [1, 2, 1].map { [.delete(actionID($0))] })
  }

  @Test(arguments: [("@0", "@0: expected @1, @2 ... for an action that is there"), ("@1", "there is no action yet")])
  func `a number of no action is refused`(word: String, message: String) throws {
    let view = Self.view(try TestDevice())
    #expect(throws: AppRefusal(message)) { try Self.perform("show \(word)", in: view) }
  }

  @Test func `without an account nothing is done and nothing is repaired`() throws {
    let view = Self.view(try TestDevice([.sleep(1, from: 0), .sleep(2, from: 5)]), account: nil)
    #expect(throws: AppRefusal("no account is signed in")) { try Self.perform("list", in: view) }
    var app = try DeviceApp.nannyAndMe.launch(view)
    #expect(try app.repairs(in: view).isEmpty)
  }

  @Test func `records that the coordinator hides are not listed`() throws {
    let device = try TestDevice([.sleep(1, from: 0, to: 1), .sleep(2, from: 2, to: 3)])
    let view = Self.view(device, hidden: [actionID(1)])
    let listed = try Self.perform("list", in: view).members(in: view).first { $0.key == "actions" }
    #expect(listed?.value.array?.map { $0["id"]?.string } == [actionID(2).recordName.text])
  }

  @Test func `a running app shows a change after a refresh of the record, before and after its first list`() throws {
    var device = try TestDevice([.sleep(1, from: 0, to: 1)])
    var app = try DeviceApp.nannyAndMe.launch(Self.view(device))
    var generator = SplitMix64(seed: 1)
    for number in [2, 3] {
      try device.save([RecordEdit(.sleep(number, from: Int64(number), to: Int64(number) + 1), stamping: .asGiven)])
      try app.refresh([actionID(number)], from: Self.view(device))
      let answer = try app.perform("list", in: Self.view(device), using: &generator)
      #expect(answer.lines().last?.hasPrefix("\(number) sleep ") == true)
    }
  }

  @Test func `two running sleeps are repaired`() throws {
    let view = Self.view(try TestDevice([.sleep(1, from: 0), .sleep(2, from: 5)]))
    var app = try DeviceApp.nannyAndMe.launch(view)
    #expect(try app.repairs(in: view).map(\.recordID) == [actionID(1)])
  }
}
