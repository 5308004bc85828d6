import ZoneKitRecords

/// The three-way merge of two versions' fields. A change that only one side made to a field is kept, so that nothing is
/// lost if two people edit different fields.
public enum FieldMerge {
  /// One side of a conflict.
  public enum Side: Hashable, Sendable {
    /// The version of this device.
    case local
    /// The version of the cloud.
    case server
  }

  /// The merged fields. If both sides changed a field differently, the winner's value is used. Without an ancestor
  /// every field counts as changed by the side that has it. Swapping the sides and the winner gives the same result.
  public static func merge(local: Fields, server: Fields, ancestor: Fields?, winner: Side) -> Fields {
    let base = ancestor ?? Fields()
    var merged = winner == .local ? local : server
    let other = winner == .local ? server : local
    for name in names(of: [merged, other, base]) {
      let original = field(name, of: base)
      guard isSame(field(name, of: merged), original) else { continue }
      if let changed = field(name, of: other) { merged.set(changed) } else { merged.remove(name) }
    }
    return merged
  }

  /// The names of the fields that differ between `first` and `second`, in ascending order.
  public static func differences(_ first: Fields, _ second: Fields) -> [Name] {
    names(of: [first, second]).filter { !isSame(field($0, of: first), field($0, of: second)) }
  }

  private static func names(of versions: [Fields]) -> [Name] {
    var names: [Name] = []
    for name in versions.flatMap({ $0.sorted.map(\.name) }).sorted() where names.last != name { names.append(name) }
    return names
  }

  private static func field(_ name: Name, of fields: Fields) -> Field? {
    fields.sorted.first { $0.name == name }
  }

  /// Compares encoded bytes and not Swift strings: two Unicode encodings of "é" are different values.
  private static func isSame(_ first: Field?, _ second: Field?) -> Bool {
    guard let first, let second else { return first == nil && second == nil }
    return EncodedFields(Fields([first])) == EncodedFields(Fields([second]))
  }
}
