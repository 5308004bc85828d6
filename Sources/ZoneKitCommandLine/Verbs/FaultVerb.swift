import ZoneKitEventLoop
import ZoneKitRecords
import ZoneKitScenarios
import ZoneKitService
import ZoneKitSimulator
import ZoneKitWire

/// `zonekit fault`: the faults of a running server.
enum FaultVerb {
  static let spec = VerbSpec(
    "fault", "add SENTENCE | list | clear", summary: "make a running server lose, delay or repeat pushes and requests",
    details: """
      SENTENCE is a sentence about faults or zones in the language of scenarios, which zonekit scenarios --language lists. A
      device is named as at zonekit device, or as a client names itself in its hello, and a zone with its account. A fault stays until it has hit as often as it may,
      until clear, or until the server ends. list shows how often each has hit.
      """,
    options: [DeviceVerb.serverOption],
    examples: [
      "zonekit fault add \"drop the next push to B\"",
      "zonekit fault add \"delay every push from A to B by 3s in 30% of cases\"",
      "zonekit fault add \"the cloud loses the answers to the next 2 saves of A\"",
      "zonekit fault add \"expire all tokens of zone NannyAndMe of account nanny\"", "zonekit fault list",
      "zonekit fault clear",
    ],
    run: run)

  private static func run(_ words: Invocation) throws(ExitFailure) -> Int32 {
    let action = try action(words)
    let data = DataDirectory(words.dataDirectory)
    let address = try DeviceVerb.address(words.value("--server"), of: "--server")
    let desk = try ExitFailure.from { () throws(StoresError) in try FaultDesk(at: address, of: data) }
    switch action {
    case .add: try add(words.operands.dropFirst().joined(separator: " "), desk, data, words)
    case .list: try list(desk, words)
    case .clear:
      let count = try ExitFailure.from { () throws(StoresError) in try desk.clear() }
      report(
        "faultsCleared", [JSON.Member("removed", .integer(Int64(count)))], "removed \(count.counted("fault"))", words)
    }
    return 0
  }

  /// The first word.
  private enum Action: String, CaseIterable {
    case add
    case list
    case clear
  }

  /// The first word, with the number of further words checked, before a server is looked for.
  private static func action(_ words: Invocation) throws(ExitFailure) -> Action {
    guard let word = words.operands.first else { throw .usage("add, list or clear is missing") }
    guard let action = Action(rawValue: word) else {
      let guess = Suggestion.text(for: word, among: Action.allCases.map(\.rawValue))
      throw .usage("fault takes add, list or clear, not \(word)\(guess)")
    }
    switch action {
    case .add: guard words.operands.count > 1 else { throw .usage("SENTENCE is missing") }
    case .list, .clear: _ = try words.operands(word)
    }
    return action
  }

  private static func add(
    _ sentence: String, _ desk: FaultDesk, _ data: DataDirectory, _ words: Invocation
  ) throws(ExitFailure) {
    let known = try ExitFailure.from { () throws(StoresError) in try desk.devices() }
    let folders = (try? data.deviceNames()) ?? []
    let step: ScenarioStep
    do throws(ScenarioError) {
      step = try ScenarioStep(parsing: sentence, devices: Set(known + folders).sorted())
    } catch {
      throw .usage("column \(error.column): \(error.message)")
    }
    let effect = try FaultSentence(data: data).effect(of: step)
    switch effect {
    case .add(let fault): try add(fault, step.text, desk, words)
    case .replace(let fault):
      _ = try remove(named: fault.name, desk)
      try add(fault, step.text, desk, words)
    case .remove(let name, let refusal):
      let count = try remove(named: name, desk)
      guard count > 0 else { throw .usage("\(sentence): \(refusal)") }
      report(
        "faultsRemoved", [JSON.Member("removed", .integer(Int64(count)))], "removed \(count.counted("fault"))", words)
    case .removeAll:
      let count = try ExitFailure.from { () throws(StoresError) in try desk.clear() }
      report(
        "faultsRemoved", [JSON.Member("removed", .integer(Int64(count)))], "removed \(count.counted("fault"))", words)
    case .administer(let operation, let account):
      try ExitFailure.from { () throws(StoresError) in
        let database = try desk.database(for: operation, of: account, usually: AppTable.standard.database(of: account))
        try desk.administer(AdministrationRequest(operation, in: database, from: Caller(user: account)))
      }
      report("administered", [JSON.Member("did", .string(sentence))], "done: \(sentence)", words)
    case .ask, .doubleSubscription, .expireTokens, .fillDisk, .breakDisk:
      throw .usage("\(sentence): this is no fault that waits for requests; a scenario can do it")
    }
  }

  private static func add(
    _ fault: Fault, _ sentence: String, _ desk: FaultDesk, _ words: Invocation
  ) throws(ExitFailure) {
    guard fault.perMille > 0 else { throw .usage("\(sentence): 0% of cases are none") }
    let added = try ExitFailure.from { () throws(StoresError) in try desk.add(fault, sentence) }
    let note = added["note"]?.string.map { "; \($0)" } ?? ""
    report("faultAdded", [JSON.Member("fault", added)], "added fault \(number("id", added)): \(sentence)\(note)", words)
  }

  private static func remove(named name: String, _ desk: FaultDesk) throws(ExitFailure) -> Int {
    try ExitFailure.from { () throws(StoresError) in try desk.remove { $0["name"]?.string == name } }
  }

  // MARK: Output

  private static func list(_ desk: FaultDesk, _ words: Invocation) throws(ExitFailure) {
    let faults = try ExitFailure.from { () throws(StoresError) in try desk.list() }
    if words.wantsJSON {
      for fault in faults { Console.print(JSON.object([JSON.Member("event", "fault")] + (fault.object ?? [])).text()) }
      return
    }
    guard !faults.isEmpty else { return Console.print("no faults") }
    let rows = faults.map { fault in
      let (does, conditions) = FaultDocument.words(of: fault)
      return [number("id", fault), number("hits", fault), does, conditions]
    }
    Console.print(TextTable([["ID", "HITS", "FAULT", "OF"]] + rows).text(within: Console.columns))
  }

  private static func number(_ key: String, _ fault: JSON) -> String { fault[key]?.integer.map(String.init) ?? "" }

  private static func report(_ event: String, _ members: [JSON.Member], _ text: String, _ words: Invocation) {
    Console.print(words.wantsJSON ? JSON.object([JSON.Member("event", .string(event))] + members).text() : text)
  }
}
