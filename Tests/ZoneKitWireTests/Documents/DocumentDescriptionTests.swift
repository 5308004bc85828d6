import Foundation
import Testing
import ZoneKitDietLog
import ZoneKitDocuments
import ZoneKitRecords

@testable import ZoneKitWire

@Suite struct `the description of the documents` {
  private let description = DocumentDescription(of: DietLog.documents).json

  @Test func `is the file that people read`() throws {
    let file = URL(filePath: #filePath).deletingLastPathComponent()
      .appending(path: "../../../Diagnostics/OpenAPI/diet-log.yaml").standardizedFileURL
    let text = try String(contentsOf: file, encoding: .utf8)
    #expect(
      text == YAMLText.text(description), "write it anew: zonekit serve --openapi > Diagnostics/OpenAPI/diet-log.yaml")
  }

  @Test func `has the paths and methods that are served`() throws {
    let paths = try #require(description["paths"]?.object)
    #expect(paths.map(\.key) == DocumentCall.Path.allCases.map(\.text))
    for (path, described) in zip(DocumentCall.Path.allCases, paths) {
      let methods = described.value.object?.map(\.key).filter { $0 != "parameters" }
      #expect(methods == [path.method.lowercased()])
    }
  }

  @Test func `refers only to what it has`() throws {
    var references: [String] = []
    func collect(_ json: JSON) {
      if let reference = json["$ref"]?.string { references.append(reference) }
      for member in json.object ?? [] { collect(member.value) }
      for element in json.array ?? [] { collect(element) }
    }
    collect(description)
    #expect(references.count > 50)
    for reference in references {
      let found = reference.split(separator: "/").dropFirst().reduce(description) { $0[String($1)] ?? .null }
      #expect(!found.isNull, "\(reference)")
    }
  }

  @Test func `describes every member of a document as it is written`() throws {
    for collection in DietLog.schema.collections {
      let title = collection.name.text.prefix(1).uppercased() + collection.name.text.dropFirst()
      let schema = try #require(description["components"]?["schemas"]?[title])
      let described = Set(schema["properties"]?.object?.map(\.key) ?? [])
      #expect(described.isSuperset(of: ["_id", "version", "tag", "updatedAt", "deletedAt"]))
      #expect(described.isSuperset(of: collection.members.map(\.name.text)))
      #expect(schema["required"]?.array?.count == described.count)
    }
  }
}

@Suite struct `YAML` {
  @Test func `has short values on one line, and quotes what could be read as something else`() {
    let long = String(repeating: "a", count: 100)
    let json: JSON = [
      "plain": "text", "number": "1", "word": "null", "a.b": true, "list": [1, .null, "x y"],
      "object": ["first": .string(long), "second": ["inner": .string(long)], "empty": [:]],
    ]
    #expect(
      YAMLText.text(json) == """
        plain: text
        number: "1"
        word: "null"
        "a.b": true
        list: [1, null, "x y"]
        object:
          first: \(long)
          second: {inner: \(long)}
          empty: {}

        """)
  }
}
