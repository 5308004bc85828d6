import ZoneKitRecords
import ZoneKitService

/// `zonekit schema`: the schema of a container, in Apple's schema language.
enum SchemaVerb {
  static let spec = VerbSpec(
    "schema", "", summary: "print the schema of a container for cktool and serve --schema",
    details: """
      Prints the record types and fields that were used in a container, in Apple's schema language. `cktool import-schema` takes
      the text, and so does serve --schema. A server may be running. Fields have the indexes that CloudKit gives them when they
      are made by use, and types the grants of new types.
      """,
    options: [
      OptionSpec("--container", "NAME", help: "the container (default: the only one)"),
      OptionSpec(
        "--environment", "NAME", help: "its environment (default: the only one)",
        kind: .word(Environment.allCases.map(\.rawValue))),
    ],
    examples: ["zonekit schema --container iCloud.com.example.app > schema.ckdb"], run: run)

  private static func run(_ words: Invocation) throws(ExitFailure) -> Int32 {
    _ = try words.operands()
    let data = try words.existingData()
    let all = try ExitFailure.from { () throws(StoresError) in try SchemaDesk(of: data).schemas() }
    let container = words.value("--container"), environment = words.value("--environment")
    let meant = all.filter {
      container ?? $0.container.text == $0.container.text
        && environment ?? $0.environment.rawValue == $0.environment.rawValue
    }
    guard let one = meant.first, meant.count == 1 else {
      let names = (meant.isEmpty ? all : meant).map { "\($0.container) \($0.environment)" }.joined(separator: ", ")
      let what = meant.isEmpty ? "no such container has a schema" : "several containers have a schema"
      throw .usage("\(what); name one with --container and --environment: \(names.isEmpty ? "there is none" : names)")
    }
    guard words.wantsJSON else {
      Console.print(bytes: Array(one.schema.text.utf8))
      return 0
    }
    let members: JSON = [
      "event": "schema", "container": .string(one.container.text), "environment": .string(one.environment.rawValue),
      "text": .string(one.schema.text),
    ]
    Console.print(members.text())
    return 0
  }
}
