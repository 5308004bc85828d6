import ZoneKitRecords

/// Applies a save to a record's fields. Values have to fit the zone's schema, and fields that are new to the schema are
/// added to it (CloudKit Web Services, b.4 and i.25).
struct FieldRules {
  let recordType: Name
  /// The definitions, in ascending order of their fields.
  let schema: [FieldDefinition]

  /// The fields after the changes, and the definitions that are new or got a more exact type.
  func applying(
    _ changes: [NamedFieldChange], to base: Fields
  ) throws(EvaluationFailure) -> (fields: Fields, definitions: [FieldDefinition]) {
    var fields = base
    var definitions: [FieldDefinition] = []
    var index = 0
    for named in changes {
      guard named.name.isIdentifier else { throw illegal(named.name) }
      // Both lists are in ascending order, so one pass finds all definitions.
      while index < schema.count, schema[index].field < named.name { index += 1 }
      let known = index < schema.count && schema[index].field == named.name ? schema[index].type : nil
      switch named.change {
      case .clear: fields.remove(named.name)
      case .malformed(let why): throw .refused(.invalidArguments, "field \(named.name) of \(recordType): \(why)")
      case .set(let value, let isTyped, let isEncrypted):
        let value = try fit(value, isTyped: isTyped, to: known, field: named.name)
        fields.set(Field(name: named.name, value: value, isEncrypted: isEncrypted))
        if value.type != known {
          definitions.append(FieldDefinition(recordType: recordType, field: named.name, type: value.type))
        }
      }
    }
    return (fields, definitions)
  }

  private func fit(
    _ value: FieldValue, isTyped: Bool, to type: FieldType?, field: Name
  ) throws(EvaluationFailure) -> FieldValue {
    guard let type, value.type != type else { return value }
    if type == .unknownList, value.type.isList { return value }
    guard let fitting = value.fitted(to: type, isTyped: isTyped) else {
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

extension FieldType {
  /// Whether values of the type are lists.
  fileprivate var isList: Bool {
    switch self {
    case .stringList, .int64List, .doubleList, .bytesList, .timestampList, .referenceList, .locationList, .assetList,
      .unknownList:
      true
    case .string, .int64, .double, .bytes, .encryptedBytes, .timestamp, .reference, .location, .asset: false
    }
  }
}
