import ZoneKitRecords

/// Removes the fields that this version understands from a record. The remaining ones are preserved unchanged.
///
/// A field is understood if its value has the type that the app writes, or an equivalent one: INT64 instead of
/// TIMESTAMP or DOUBLE, as clients write that send a number without its type.
struct FieldReader {
  /// The fields that were not read yet.
  private(set) var rest: Fields
  /// The names of the fields read so far that were marked as encrypted.
  private(set) var encrypted: [Name] = []

  init(_ fields: Fields) { rest = fields }

  mutating func string(_ name: Name) -> String? {
    guard case .string(let text) = rest[name] else { return nil }
    return take(name, text)
  }

  mutating func time(_ name: Name) -> WallTime? {
    switch rest[name] {
    case .timestamp(let time): take(name, time)
    case .int64(let milliseconds): take(name, WallTime(milliseconds: milliseconds))
    default: nil
    }
  }

  mutating func integer(_ name: Name, in range: ClosedRange<Int64>) -> Int64? {
    guard case .int64(let value) = rest[name], range.contains(value) else { return nil }
    return take(name, value)
  }

  mutating func flag(_ name: Name) -> Bool? {
    guard case .int64(let value) = rest[name] else { return nil }
    return take(name, value != 0)
  }

  mutating func number(_ name: Name) -> Double? {
    switch rest[name] {
    case .double(let value): take(name, value)
    case .int64(let value): take(name, Double(value))
    default: nil
    }
  }

  mutating func reference(_ name: Name) -> Reference? {
    guard case .reference(let reference) = rest[name] else { return nil }
    return take(name, reference)
  }

  mutating func choice<Choice: RawRepresentable<String>>(_ name: Name) -> Choice? {
    guard case .string(let text) = rest[name], let choice = Choice(rawValue: text) else { return nil }
    return take(name, choice)
  }

  /// Removes a field whose value was read by other code.
  mutating func drop(_ name: Name) {
    if rest.sorted.contains(where: { $0.name == name && $0.isEncrypted }) { encrypted.append(name) }
    rest.remove(name)
  }

  private mutating func take<Value>(_ name: Name, _ value: Value) -> Value {
    drop(name)
    return value
  }
}
