/// The fields of a record. Names are unique, and fields are in the order of their names.
public struct Fields: Hashable, Sendable {
  /// The fields, in ascending order of their names.
  public private(set) var sorted: [Field] = []

  /// No fields.
  public init() {}

  /// Fields from a sequence. Of several with one name, the last one counts.
  public init(_ fields: some Sequence<Field>) {
    for field in fields { set(field) }
  }

  /// The value of a field; nil if there is none. Setting nil removes the field; setting a value makes it unencrypted.
  public subscript(name: Name) -> FieldValue? {
    get {
      let index = position(of: name)
      return isField(at: index, named: name) ? sorted[index].value : nil
    }
    set {
      if let newValue { set(Field(name: name, value: newValue)) } else { remove(name) }
    }
  }

  /// Adds a field, or replaces the one of the same name.
  public mutating func set(_ field: Field) {
    // Fields are mostly added in their order.
    if let last = sorted.last, last.name < field.name { return sorted.append(field) }
    let index = position(of: field.name)
    if isField(at: index, named: field.name) { sorted[index] = field } else { sorted.insert(field, at: index) }
  }

  /// Removes a field, if it exists.
  public mutating func remove(_ name: Name) {
    let index = position(of: name)
    if isField(at: index, named: name) { sorted.remove(at: index) }
  }

  /// Whether there are no fields.
  public var isEmpty: Bool { sorted.isEmpty }

  private func isField(at index: Int, named name: Name) -> Bool {
    index < sorted.count && sorted[index].name == name
  }

  /// The index at which a field with that name is or has to be inserted.
  private func position(of name: Name) -> Int {
    var low = 0
    var high = sorted.count
    while low < high {
      let middle = (low + high) / 2
      if sorted[middle].name < name { low = middle + 1 } else { high = middle }
    }
    return low
  }
}
