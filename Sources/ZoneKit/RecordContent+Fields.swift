import ZoneKitRecords

extension RecordContent {
  /// Content with those fields.
  public init(_ fields: Fields, parent: Name? = nil) {
    self.init(fields: EncodedFields(fields), parent: parent)
  }

  /// The decoded fields. Content from a store or the cloud can always be decoded; other content counts as empty.
  public var decoded: Fields { (try? fields.decoded()) ?? Fields() }

  /// The value of a field; nil if there is none.
  public subscript(name: Name) -> FieldValue? { decoded[name] }

  /// Whether this content has the later time in the field `stamp`. A missing time is the earliest. If times are equal,
  /// the content with the greater bytes counts as newer.
  ///
  /// This is a total order, as a merge policy needs it: of two different contents, all devices choose the same one.
  public func isNewer(than other: RecordContent, by stamp: Name) -> Bool {
    let (own, its) = (self[stamp]?.time, other[stamp]?.time)
    guard own == its else { return own.map { time in its.map { $0 < time } ?? true } ?? false }
    guard fields != other.fields else { return (other.parent ?? "") < (parent ?? "") }
    return other.fields.utf8.lexicographicallyPrecedes(fields.utf8)
  }
}

extension FieldValue {
  /// The string; nil for any other value.
  public var text: String? { if case .string(let text) = self { text } else { nil } }

  /// The integer; nil for any other value.
  public var number: Int64? { if case .int64(let number) = self { number } else { nil } }

  /// The time; nil for any other value.
  public var time: WallTime? { if case .timestamp(let time) = self { time } else { nil } }
}
