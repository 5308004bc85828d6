import ZoneKitRecords

extension ContainerSchema {
  /// The schema in Apple's language, laid out as `cktool export-schema` does it.
  package var text: String {
    let roles = roles.map { "    CREATE ROLE \(Self.quoted($0));\n" }.joined()
    let types = types.map { "    RECORD TYPE \(Self.quoted($0.name.text)) (\n\($0.lines)\n    );\n" }
    return "DEFINE SCHEMA\n" + ([roles].filter { !$0.isEmpty } + types).map { "\n\($0)" }.joined()
  }

  /// The words that stand in quotation marks if they are names. The documentation lists fewer; more do no harm.
  private static let reserved: Set<String> = [
    "GRANT", "PREFERRED", "QUERYABLE", "SORTABLE", "SEARCHABLE", "ENCRYPTED", "LIST", "TO", "CREATE", "RECORD",
  ]

  /// A name as it stands in the text.
  fileprivate static func quoted(_ name: String) -> String {
    Name(name).isIdentifier && !reserved.contains(name.uppercased()) ? name : "\"\(name)\""
  }
}

extension ContainerSchema.RecordType {
  /// The fields and grants, one a line.
  fileprivate var lines: String {
    let names = fields.map { ContainerSchema.quoted($0.name.text) }
    let width = names.map(\.count).max() ?? 0
    let fields = zip(names, fields).map { name, field in
      name + String(repeating: " ", count: width - name.count + 1)
        + ([field.type.text] + field.indexes.words)
        .joined(separator: " ")
    }
    let grants = grants.map {
      "GRANT \($0.permissions.words.joined(separator: ", ")) TO \(ContainerSchema.quoted($0.role))"
    }
    return (fields + grants).map { "        \($0)" }.joined(separator: ",\n")
  }
}

extension ContainerSchema.ValueType {
  fileprivate var text: String {
    let element =
      (isEncrypted ? "ENCRYPTED " : "") + base.rawValue + (preferred.map { " PREFERRED AS \($0.rawValue)" } ?? "")
    return isList ? "LIST<\(element)>" : element
  }
}

extension ContainerSchema.Indexes {
  fileprivate var words: [String] {
    Self.named.filter { contains($0.index) }.map(\.word)
  }
}

extension ContainerSchema.Permissions {
  /// The permissions in the words of the language.
  var words: [String] {
    Self.named.filter { contains($0.permission) }.map(\.word)
  }
}
