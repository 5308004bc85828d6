import ZoneKitRecords

/// Applies a save to a record's fields. Values have to fit the schema, and fields that are new to the zone are added to its
/// part of the schema (CloudKit Web Services, b.4 and i.25).
struct FieldRules {
  let recordType: Name
  /// The definitions of the zone, in ascending order of their fields.
  let schema: [FieldDefinition]
  /// The record types of the container, which are asked for what the zone lacks.
  let container: ContainerTypes
  /// Whether the container's directory was asked.
  private(set) var isConsulted = false
  /// The definitions of the container, once they were asked for.
  private var shared: [FieldDefinition]?

  init(recordType: Name, schema: [FieldDefinition], container: ContainerTypes) {
    self.recordType = recordType
    self.schema = schema
    self.container = container
  }

  /// The fields after the changes, and the definitions that are new to the zone or got a more exact type there.
  mutating func applying(
    _ changes: [NamedFieldChange], to base: Fields
  ) throws(EvaluationFailure) -> (fields: Fields, definitions: [FieldDefinition]) {
    if schema.isEmpty || container.policy.schema != nil { _ = try consult() }
    var fields = base
    var definitions: [FieldDefinition] = []
    var index = 0
    for named in changes {
      guard named.name.isIdentifier else { throw illegal(named.name) }
      // Both lists are in ascending order, so one pass finds all definitions.
      while index < schema.count, schema[index].field < named.name { index += 1 }
      let own = index < schema.count && schema[index].field == named.name ? schema[index].type : nil
      switch named.change {
      case .clear: fields.remove(named.name)
      case .malformed(let why): throw .refused(.invalidArguments, "field \(named.name) of \(recordType): \(why)")
      case .set(let value, let isTyped, let isEncrypted):
        let value = try fit(value, isTyped: isTyped, to: try type(of: named.name, own: own), field: named.name)
        fields.set(Field(name: named.name, value: value, isEncrypted: isEncrypted))
        if value.type != own {
          definitions.append(FieldDefinition(recordType: recordType, field: named.name, type: value.type))
        }
      }
    }
    return (fields, definitions)
  }

  /// The type of a field; nil if it is new to the container.
  private mutating func type(of field: Name, own: FieldType?) throws(EvaluationFailure) -> FieldType? {
    let own = container.policy.schema == nil ? own : nil
    if let own, own != .unknownList { return own }
    let shared = try consult()
    if let type = shared.first(where: { $0.field == field })?.type ?? own { return type }
    guard !container.isFixed else {
      throw .refused(.invalidArguments, "Field \(field) not found in \(recordType)")
    }
    return nil
  }

  private mutating func consult() throws(EvaluationFailure) -> [FieldDefinition] {
    if let shared { return shared }
    isConsulted = container.policy.schema == nil
    let found = try container.definitions(of: recordType)
    let isKnown = found != nil || container.policy.schema == nil && !schema.isEmpty
    guard isKnown || !container.isFixed else {
      throw .refused(.unknownItem, "did not find record type: \(recordType)")
    }
    shared = found ?? []
    return found ?? []
  }

  private func fit(
    _ value: FieldValue, isTyped: Bool, to type: FieldType?, field: Name
  ) throws(EvaluationFailure) -> FieldValue {
    guard let type, value.type != type else { return value }
    if type == .unknownList, value.type.isList { return value }
    let isWhole = !container.policy.strictness.contains(.wholeTimestamps) || value.isWholeNumber
    guard isWhole || type.scalar != .timestamp, let fitting = value.fitted(to: type, isTyped: isTyped) else {
      throw .refused(
        .invalidArguments,
        "Invalid value, expected type \(type.rawValue) for field \(field) of \(recordType), "
          + "got \(value.type.rawValue)")
    }
    return fitting
  }

  private func illegal(_ name: Name) -> EvaluationFailure {
    .refused(
      .invalidArguments,
      "field name \(name) of \(recordType) is not a letter, then letters, digits and underscores, "
        + "at most \(Name.lengthLimit) of them")
  }
}

extension FieldValue {
  /// Whether it has no number with a fraction.
  fileprivate var isWholeNumber: Bool {
    switch self {
    case .double(let number): Int64(exactly: number) != nil
    case .doubleList(let numbers): numbers.allSatisfy { Int64(exactly: $0) != nil }
    default: true
    }
  }
}

extension FieldType {
  /// Whether values of the type are lists.
  fileprivate var isList: Bool { self == .unknownList || element != nil }

  /// The type of a list's elements, or the type itself.
  fileprivate var scalar: FieldType { element ?? self }
}
