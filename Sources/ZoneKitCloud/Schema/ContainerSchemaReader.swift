import ZoneKitRecords

extension ContainerSchema {
  /// The most bytes of a schema's text.
  package static let textLimit = 4 << 20

  /// The schema in a text in Apple's language, as `cktool export-schema` writes it. Throws the place of the first problem, what
  /// is wrong there and what would be right.
  package init(reading text: [UInt8]) throws(ContainerSchemaError) {
    guard text.count <= Self.textLimit else {
      throw ContainerSchemaError(line: 1, column: 1, message: "a schema has at most \(Self.textLimit >> 20) MB")
    }
    var reader = try ContainerSchemaReader(text)
    self = try reader.schema()
  }
}

/// Reads Apple's schema language. Keywords may have small letters.
private struct ContainerSchemaReader {
  private typealias Token = SchemaScanner.Token

  private var scanner: SchemaScanner
  private var token: SchemaScanner.Token

  init(_ text: [UInt8]) throws(ContainerSchemaError) {
    scanner = SchemaScanner(text)
    token = try scanner.next()
  }

  mutating func schema() throws(ContainerSchemaError) -> ContainerSchema {
    try expect("DEFINE", "a schema begins with DEFINE SCHEMA")
    try expect("SCHEMA", "a schema begins with DEFINE SCHEMA")
    var roles: [String] = []
    var types: [ContainerSchema.RecordType] = []
    var granted: [(role: String, place: SchemaScanner.Token)] = []
    while token.kind != .end {
      if isAt("CREATE") {
        try advance()
        try expect("ROLE", "CREATE is followed by ROLE and its name")
        let place = token
        let role = try name(of: "a role")
        guard !(ContainerSchema.systemRoles + roles).contains(role) else {
          throw error("role \(role) is there already; create it once", at: place)
        }
        roles.append(role)
      } else {
        try expect("RECORD", "RECORD TYPE or CREATE ROLE is expected")
        try expect("TYPE", "RECORD is followed by TYPE and its name")
        types.append(try recordType(after: types, &granted))
      }
      try expect(";", "a record type or role ends with ;")
    }
    for grant in granted where !(ContainerSchema.systemRoles + roles).contains(grant.role) {
      let system = ContainerSchema.systemRoles.map { "\"\($0)\"" }.joined(separator: ", ")
      throw error(
        "there is no role \(grant.role); CREATE ROLE makes one, and every schema has \(system)", at: grant.place)
    }
    return ContainerSchema(roles: roles, types: types)
  }

  // MARK: Record types

  private mutating func recordType(
    after others: [ContainerSchema.RecordType], _ granted: inout [(role: String, place: SchemaScanner.Token)]
  ) throws(ContainerSchemaError) -> ContainerSchema.RecordType {
    let place = token
    let name = Name(try self.name(of: "a record type"))
    guard name.isIdentifier || name.text == "cloudkit.share" else { throw illegal(name, at: place) }
    guard !others.contains(where: { $0.name == name }) else {
      throw error("record type \(name) is there already; define it once", at: place)
    }
    try expect("(", "the fields of a record type stand between ( and )")
    var type = ContainerSchema.RecordType(name, [], [])
    guard !isAt(")") else {
      try advance()
      return type
    }
    repeat {
      if isAt("GRANT") {
        let grant = try grant()
        granted.append((grant.0.role, grant.1))
        type.grants.append(grant.0)
      } else {
        type.fields.append(try field(after: type.fields))
      }
    } while try skip(",")
    try expect(")", "a field is followed by an index, a comma or )")
    return type
  }

  private mutating func grant() throws(ContainerSchemaError) -> (ContainerSchema.Grant, SchemaScanner.Token) {
    try advance()
    var permissions: ContainerSchema.Permissions = []
    repeat {
      guard let (word, permission) = ContainerSchema.Permissions.named.first(where: { isAt($0.word) }) else {
        throw error("GRANT is followed by READ, CREATE or WRITE")
      }
      try expect(word, "")
      permissions.insert(permission)
    } while try skip(",")
    try expect("TO", "permissions are followed by TO and the name of a role")
    let place = token
    return (ContainerSchema.Grant(permissions, to: try name(of: "a role")), place)
  }

  // MARK: Fields

  private mutating func field(
    after others: [ContainerSchema.Field]
  ) throws(ContainerSchemaError) -> ContainerSchema.Field {
    let place = token
    let name = Name(try self.name(of: "a field, or GRANT,"))
    let system = ContainerSchema.RecordType.systemFields.first { $0.name == name }
    guard system != nil || name.isIdentifier else { throw illegal(name, at: place) }
    guard !others.contains(where: { $0.name == name }) else {
      throw error("field \(name) is there already; define it once in a record type", at: place)
    }
    let typePlace = token
    let type = try valueType()
    if let system, type != ContainerSchema.ValueType(system.type) {
      throw error("the system field \(name) is of type \(system.type.rawValue)", at: typePlace)
    }
    var indexes: ContainerSchema.Indexes = []
    while let (word, index) = ContainerSchema.Indexes.named.first(where: { isAt($0.word) }) {
      try expect(word, "")
      indexes.insert(index)
    }
    return ContainerSchema.Field(name, type, indexes)
  }

  private mutating func valueType() throws(ContainerSchemaError) -> ContainerSchema.ValueType {
    guard isAt("LIST") else { return try elementType() }
    try advance()
    try expect("<", "LIST is followed by the type of its elements, such as LIST<STRING>")
    var type = try elementType()
    type.isList = true
    try expect(">", "the type of a list's elements is followed by >")
    return type
  }

  private mutating func elementType() throws(ContainerSchemaError) -> ContainerSchema.ValueType {
    let isEncrypted = isAt("ENCRYPTED")
    if isEncrypted { try advance() }
    let place = token
    let all = ContainerSchema.ValueType.Base.allCases
    guard let base = all.first(where: { isAt($0.rawValue) }) else {
      let words = all.map(\.rawValue).joined(separator: ", ")
      throw error("a type is expected: \(words) or LIST<…>")
    }
    guard !isEncrypted || [.bytes, .string, .double, .int64, .location, .timestamp].contains(base) else {
      throw error("a field of type \(base.rawValue) cannot be ENCRYPTED", at: place)
    }
    try advance()
    var type = ContainerSchema.ValueType(base, isEncrypted: isEncrypted)
    guard base == .number, isAt("PREFERRED") else { return type }
    try advance()
    try expect("AS", "PREFERRED is followed by AS INT64 or AS DOUBLE")
    guard let preferred = [ContainerSchema.ValueType.Base.int64, .double].first(where: { isAt($0.rawValue) }) else {
      throw error("PREFERRED is followed by AS INT64 or AS DOUBLE")
    }
    try advance()
    type.preferred = preferred
    return type
  }

  // MARK: Tokens

  private mutating func advance() throws(ContainerSchemaError) { token = try scanner.next() }

  private func isAt(_ word: String) -> Bool {
    switch token.kind {
    case .word(let text): text.uppercased() == word
    case .symbol(let symbol): String(symbol) == word
    case .quoted, .end: false
    }
  }

  private mutating func skip(_ word: String) throws(ContainerSchemaError) -> Bool {
    guard isAt(word) else { return false }
    try advance()
    return true
  }

  private mutating func expect(_ word: String, _ what: String) throws(ContainerSchemaError) {
    guard try skip(word) else { throw error(what) }
  }

  private mutating func name(of what: String) throws(ContainerSchemaError) -> String {
    let text: String
    switch token.kind {
    case .word(let word): text = word
    case .quoted(let quoted): text = quoted
    case .symbol, .end: throw error("the name of \(what) is expected")
    }
    guard !text.isEmpty, text.utf8.count <= Name.lengthLimit else {
      throw error("a name has 1 to \(Name.lengthLimit) characters")
    }
    try advance()
    return text
  }

  // MARK: Errors

  private func illegal(_ name: Name, at place: SchemaScanner.Token) -> ContainerSchemaError {
    let system = ContainerSchema.RecordType.systemFields.map(\.name.text).joined(separator: ", ")
    return error(
      name.isReserved
        ? "\(name) is no system field; those are \(system)"
        : "\(name) is not a letter, then letters, digits and underscores", at: place)
  }

  /// The error for the present token.
  private func error(_ what: String) -> ContainerSchemaError {
    let found =
      switch token.kind {
      case .word(let word): word
      case .quoted(let quoted): "\"\(quoted)\""
      case .symbol(let symbol): String(symbol)
      case .end: "the end of the text"
      }
    return error("\(what); here is \(found)", at: token)
  }

  private func error(_ message: String, at place: SchemaScanner.Token) -> ContainerSchemaError {
    ContainerSchemaError(line: place.line, column: place.column, message: message)
  }
}
