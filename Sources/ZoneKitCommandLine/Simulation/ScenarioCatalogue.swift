import ZoneKitScenarios
import Glibc
import ZoneKitRecords
import ZoneKitSimulator
import ZoneKitStorage
import ZoneKitCCatalogue

/// Finds scenarios: files that a user names, and the catalogue of sync failures.
///
/// The catalogue is a part of the program. A folder takes its place where somebody works on it: the one that
/// `ZONEKIT_SCENARIOS` names, otherwise `Diagnostics/Scenarios` in a parent folder of the program.
struct ScenarioCatalogue {
  private enum Place {
    case program
    case folder(String)
  }

  private let place: Place

  /// The catalogue. Throws if `ZONEKIT_SCENARIOS` names no folder.
  init() throws(ExitFailure) {
    if let named = getenv("ZONEKIT_SCENARIOS").map({ String(cString: $0) }), !named.isEmpty {
      guard Folder.isFolder(named) else { throw .usage("ZONEKIT_SCENARIOS names no folder: \(named)") }
      place = .folder(named)
    } else {
      place = Self.folder(above: Self.programPath).map { .folder($0) } ?? .program
    }
  }

  private static func folder(above path: String) -> String? {
    var place = path[...]
    while let slash = place.lastIndex(of: "/") {
      place = place[..<slash]
      let folder = "\(place)/Diagnostics/Scenarios"
      if Folder.isFolder(folder) { return folder }
    }
    return nil
  }

  /// The path of this program, with links resolved.
  private static var programPath: String {
    var buffer = [CChar](repeating: 0, count: Int(PATH_MAX) + 1)
    let count = readlink("/proc/self/exe", &buffer, buffer.count - 1)
    return String(decoding: buffer.prefix(max(0, count)).map { UInt8(bitPattern: $0) }, as: UTF8.self)
  }

  /// The names of all scenarios, in ascending order.
  func names() throws(ExitFailure) -> [String] {
    switch place {
    case .program:
      Self.programFiles.map(\.name).filter { $0.hasSuffix(".scenario") && !$0.hasPrefix("demo-") }
        .map(Self.name(ofFile:)).sorted()
    case .folder(let folder): try Self.files(in: folder).map(Self.name(ofFile:))
    }
  }

  /// The scenarios with a name: that scenario, otherwise all its variants `NAME-...`.
  func names(meantBy name: String) throws(ExitFailure) -> [String] {
    let names = try names()
    if names.contains(name) { return [name] }
    let variants = names.filter { $0.hasPrefix("\(name)-") }
    guard !variants.isEmpty else {
      throw .usage("there is no scenario \(name)\(Suggestion.text(for: name, among: names))")
    }
    return variants
  }

  /// The scenario of that name in the catalogue.
  func scenario(named name: String) throws(ExitFailure) -> Scenario {
    switch place {
    case .program: try Self.programScenario("\(name).scenario")
    case .folder(let folder): try Self.read("\(folder)/\(name).scenario")
    }
  }

  /// The demo of that app, which is in the program and in `Demos` beside the catalogue.
  func demo(of app: String) throws(ExitFailure) -> Scenario {
    let file = "demo-\(app).scenario"
    return switch place {
    case .program: try Self.programScenario(file)
    case .folder(let folder): try Self.read("\(folder)/../Demos/\(file)")
    }
  }

  /// The rules to which scenarios refer, in `rules.json` beside the catalogue.
  func rules() throws(ExitFailure) -> [ScenarioRule] {
    let (path, text) =
      switch place {
      case .program: ("rules.json", try Self.programFile("rules.json"))
      case .folder(let folder):
        ("\(folder)/../rules.json", String(decoding: try InputFile.read("\(folder)/../rules.json"), as: UTF8.self))
      }
    do {
      return try JSON(parsing: text).array?.map(ScenarioRule.init) ?? []
    } catch {
      throw .input("\(path): \(error)")
    }
  }

  // MARK: In the program

  /// The files in the program.
  private static var programFiles: [(name: String, text: String)] {
    var files: [(name: String, text: String)] = []
    while true {
      let file = zonekit_catalogue_file(UInt32(files.count))
      guard let name = file.name, let text = file.text else { return files }
      files.append((String(cString: name), String(cString: text)))
    }
  }

  private static func programFile(_ name: String) throws(ExitFailure) -> String {
    guard let file = programFiles.first(where: { $0.name == name }) else {
      throw .unavailable("the program has no file \(name); set ZONEKIT_SCENARIOS to a folder that has")
    }
    return file.text
  }

  /// The scenario of that file in the program, with the file in the program that describes the data of its app.
  private static func programScenario(_ name: String) throws(ExitFailure) -> Scenario {
    var scenario = try parse(programFile(name), path: name)
    if let path = scenario.appFile?.path {
      scenario.appFile?.text = Array(try programFile(String(path.split(separator: "/").last ?? "")).utf8)
    }
    return scenario
  }

  // MARK: Operands

  /// The scenarios for an operand: a file, all files of a folder, or a name in the catalogue. The variants of a name
  /// are used if there is no scenario of that name itself.
  static func scenarios(_ word: String) throws(ExitFailure) -> [Scenario] {
    if Folder.isFolder(word) {
      var scenarios: [Scenario] = []
      for file in try files(in: word) { scenarios.append(try read(file)) }
      guard !scenarios.isEmpty else { throw .input("\(word) has no file whose name ends in .scenario") }
      return scenarios
    }
    if word.hasSuffix(".scenario") || word.contains("/") || word == "-" { return [try read(word)] }
    let catalogue = try ScenarioCatalogue()
    var scenarios: [Scenario] = []
    for name in try catalogue.names(meantBy: word) { scenarios.append(try catalogue.scenario(named: name)) }
    return scenarios
  }

  private static func read(_ path: String) throws(ExitFailure) -> Scenario {
    var scenario = try parse(String(decoding: try InputFile.read(path), as: UTF8.self), path: path)
    if let file = scenario.appFile?.path {
      let folder = path.lastIndex(of: "/").map { path[...$0] } ?? ""
      scenario.appFile?.text = try InputFile.read(file.hasPrefix("/") ? file : folder + file)
    }
    return scenario
  }

  private static func parse(_ text: String, path: String) throws(ExitFailure) -> Scenario {
    do throws(ScenarioError) {
      return try Scenario(parsing: text)
    } catch {
      throw .input("\(path): \(error)")
    }
  }

  private static func files(in folder: String) throws(ExitFailure) -> [String] {
    do throws(StoreError) {
      // By name and not by file name: `a` comes before `a-b`, but `a.scenario` comes after `a-b.scenario`.
      return try Folder.names(in: folder).filter { $0.hasSuffix(".scenario") }.map { $0.dropLast(".scenario".count) }
        .sorted().map { "\(folder)/\($0).scenario" }
    } catch {
      throw .unavailable("\(folder): \(error.message)")
    }
  }

  private static func name(ofFile path: String) -> String {
    String(path.split(separator: "/").last?.dropLast(".scenario".count) ?? "")
  }
}

/// A rule of the real cloud or of the product, from `rules.json`.
struct ScenarioRule {
  /// The ID of the rule in scenarios.
  let id: String
  /// The text of the rule.
  let text: String
  /// Its certainty: `doc`, `observed` or `assumed`.
  let confidence: String
  /// The source of the rule.
  let source: String
  /// The option of scenarios that affects it; nil for none.
  let option: String?

  init(_ json: JSON) {
    id = json["id"]?.string ?? ""
    text = json["text"]?.string ?? ""
    confidence = json["confidence"]?.string ?? ""
    source = json["source"]?.string ?? ""
    option = json["option"]?.string
  }

  /// The rule as one line of JSON.
  var json: JSON {
    .object([
      JSON.Member("id", .string(id)), JSON.Member("text", .string(text)),
      JSON.Member("confidence", .string(confidence)), JSON.Member("source", .string(source)),
      JSON.Member("option", option.map { .string($0) } ?? .null),
    ])
  }
}
