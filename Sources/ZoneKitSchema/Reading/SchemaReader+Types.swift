/// Types of columns and casts.
extension SchemaReader {
  /// The type of a column.
  mutating func columnType(_ node: TreeNode) -> SQLType {
    let type = type(node)
    if case .interval = type.kind {
      refuse("a column of the type interval is not supported: use integer, for seconds", at: type.offset.bytes)
    }
    return type
  }

  /// The type of a cast.
  mutating func castType(_ node: TreeNode) -> SQLType {
    let type = type(node)
    switch type.kind {
    case .smallserial, .serial, .bigserial:
      refuse("a cast to a serial type is not supported: use an integer type", at: type.offset.bytes)
    case .uuid, .text, .varchar, .char, .boolean, .smallint, .integer, .bigint, .numeric, .real, .doublePrecision,
      .date, .time, .timestamp, .timestamptz, .interval, .json, .jsonb, .bytea, .named:
      break
    }
    return type
  }

  private mutating func type(_ node: TreeNode) -> SQLType {
    allow(["names", "typmods", "typemod", "arrayBounds"], in: node)
    let place = offset(node)
    let name = name(node.texts("names"), at: place)
    let numbers = typeNumbers(node)
    let isBuiltIn = name.schema == nil || name.schema == "pg_catalog"
    let kind = isBuiltIn ? builtIn(name.name, numbers) : nil
    if kind == nil, !numbers.isEmpty, UnsupportedType.replacement(for: name) == nil {
      refuse("numbers behind the type \(name.sql) are not supported: leave them out", at: place.bytes)
    }
    if kind == nil, let replacement = UnsupportedType.replacement(for: name) {
      let shown = isBuiltIn ? name.name : name.sql
      refuse("the type \(shown) is not supported: use \(replacement)", at: place.bytes)
    }
    let dimensions = node.nodes("arrayBounds")
    let type = SQLType(kind ?? .named(name), isArray: !dimensions.isEmpty, at: place)
    checkArray(type, dimensions)
    return type
  }

  private mutating func checkArray(_ type: SQLType, _ dimensions: [TreeNode]) {
    guard let first = dimensions.first else { return }
    if dimensions.count > 1 {
      refuse("an array of \(dimensions.count) dimensions is not supported: use jsonb", at: type.offset.bytes)
    }
    if first.number("ival") > 0 {
      refuse("the size of an array is not supported: write \(type.sql)", at: type.offset.bytes)
    }
    if !type.kind.canBeElement {
      let element = SQLType(type.kind).sql
      refuse("an array of \(element) is not supported: use text[] or jsonb", at: type.offset.bytes)
    }
  }

  /// The numbers in brackets behind a type.
  private mutating func typeNumbers(_ node: TreeNode) -> [Int] {
    let offset = offset(node).bytes
    var numbers: [Int] = []
    for number in node.nodes("typmods") {
      guard number.kind == "A_Const", number.has("ival") else {
        refuse("a type takes only numbers in its brackets", at: offset)
        continue
      }
      numbers.append(Int(integer(number)))
    }
    here = offset
    return numbers
  }

  /// The type that is built in under that name; nil if none is, or it is not supported.
  private mutating func builtIn(_ name: String, _ numbers: [Int]) -> SQLType.Kind? {
    if let plain = Self.plainTypes[name] {
      if !numbers.isEmpty { refuse("the type \(name) takes no numbers: leave them out") }
      return plain
    }
    switch name {
    case "varchar": return .varchar(length: number(numbers, of: name, in: 1...10_485_760))
    case "bpchar": return number(numbers, of: name, in: 1...10_485_760).map { .char(length: $0) }
    case "numeric", "decimal": return numeric(numbers)
    case "time": return .time(precision: number(numbers, of: name, in: 0...6))
    case "timestamp": return .timestamp(precision: number(numbers, of: name, in: 0...6))
    case "timestamptz": return .timestamptz(precision: number(numbers, of: name, in: 0...6))
    default: return nil
    }
  }

  private static let plainTypes: [String: SQLType.Kind] = [
    "uuid": .uuid, "text": .text, "bool": .boolean, "boolean": .boolean, "int2": .smallint, "int4": .integer,
    "int8": .bigint, "smallserial": .smallserial, "serial2": .smallserial, "serial": .serial, "serial4": .serial,
    "bigserial": .bigserial, "serial8": .bigserial, "float4": .real, "float8": .doublePrecision, "date": .date,
    "interval": .interval, "json": .json, "jsonb": .jsonb, "bytea": .bytea,
  ]

  private mutating func number(_ numbers: [Int], of type: String, in range: ClosedRange<Int>) -> Int? {
    guard let first = numbers.first else { return nil }
    guard numbers.count == 1, range.contains(first) else {
      refuse("the type \(type) takes one number from \(range.lowerBound) to \(range.upperBound)")
      return nil
    }
    return first
  }

  private mutating func numeric(_ numbers: [Int]) -> SQLType.Kind {
    let scale = numbers.count > 1 ? numbers[1] : 0
    guard let precision = numbers.first else { return .numeric(precision: nil, scale: nil) }
    if numbers.count > 2 || !(1...1000).contains(precision) || !(-1000...1000).contains(scale) {
      refuse("the type numeric takes a precision from 1 to 1000 and a scale from -1000 to 1000")
    }
    return .numeric(precision: precision, scale: numbers.count > 1 ? scale : nil)
  }
}
