import ZoneKitRecords

/// Which binding references make a record depend on another one, so that a change of that one changes the record too.
package enum Dependence: Hashable, Sendable {
  /// The references with the action DELETE_SELF.
  case deleteSelf
  /// The references in these fields.
  case fields(Set<Field>)

  /// A field of a record type.
  package struct Field: Hashable, Sendable {
    let recordType: Name
    let name: Name

    /// The field of that name of a record type.
    package init(_ recordType: Name, _ name: Name) {
      self.recordType = recordType
      self.name = name
    }
  }

  /// Whether the reference may bind its source, as far as it shows without the source.
  package func mayBind(_ reference: StoredReference) -> Bool {
    switch self {
    case .deleteSelf: reference.action == .deleteSelf
    case .fields(let fields): fields.contains { $0.name == reference.field }
    }
  }

  /// Whether the reference makes its source, which is of that type, depend on its target.
  package func binds(_ reference: StoredReference, ofType recordType: Name) -> Bool {
    switch self {
    case .deleteSelf: reference.action == .deleteSelf
    case .fields(let fields): fields.contains(Field(recordType, reference.field))
    }
  }
}
