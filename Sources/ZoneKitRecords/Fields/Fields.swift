/// The fields of a record, at most one of each name, kept in the order of their names.
public struct Fields: Hashable, Sendable {
  /// The fields, ascending by name.
  public private(set) var sorted: [Field] = []

  /// No fields.
  public init() {}

  /// The given fields; where a name comes twice the later one counts.
  public init(_ fields: some Sequence<Field>) {
    for field in fields { set(field) }
  }

  /// The value of a field: nil where there is none; setting nil removes the field, setting a value keeps it unencrypted.
  public subscript(name: Name) -> FieldValue? {
    get {
      let index = position(of: name)
      return isField(at: index, named: name) ? sorted[index].value : nil
    }
    set {
      if let newValue { set(Field(name: name, value: newValue)) } else { remove(name) }
    }
  }

  /// Puts a field in, in the place of one of the same name.
  public mutating func set(_ field: Field) {
    let index = position(of: field.name)
    if isField(at: index, named: field.name) { sorted[index] = field } else { sorted.insert(field, at: index) }
  }

  /// Takes a field out, if it is there.
  public mutating func remove(_ name: Name) {
    let index = position(of: name)
    if isField(at: index, named: name) { sorted.remove(at: index) }
  }

  /// Whether there is no field.
  public var isEmpty: Bool { sorted.isEmpty }

  private func isField(at index: Int, named name: Name) -> Bool {
    index < sorted.count && sorted[index].name == name
  }

  /// Where a field of that name is or belongs.
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
