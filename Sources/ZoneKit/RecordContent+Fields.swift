import ZoneKitRecords

extension RecordContent {
  /// Content of those fields.
  public init(_ fields: Fields, parent: Name? = nil) {
    self.init(fields: EncodedFields(fields), parent: parent)
  }

  /// The fields, decoded. Content that came from a store or the cloud can always be decoded; other content has no fields.
  public var decoded: Fields { (try? fields.decoded()) ?? Fields() }

  /// The value of a field; nil where there is none.
  public subscript(name: Name) -> FieldValue? { decoded[name] }

  /// Whether this content is to be preferred, where the newest stamp counts: content with the later time in that field
  /// is, none being the earliest; of equal times the one whose bytes are the greater.
  ///
  /// A total order, as a merge policy needs it: of two contents that differ, all devices prefer the same.
  public func isNewer(than other: RecordContent, by stamp: Name) -> Bool {
    let (own, its) = (self[stamp]?.time, other[stamp]?.time)
    guard own == its else { return own.map { time in its.map { $0 < time } ?? true } ?? false }
    guard fields != other.fields else { return (other.parent ?? "") < (parent ?? "") }
    return other.fields.utf8.lexicographicallyPrecedes(fields.utf8)
  }
}

extension FieldValue {
  /// The text, where the value is one.
  public var text: String? { if case .string(let text) = self { text } else { nil } }

  /// The whole number, where the value is one.
  public var number: Int64? { if case .int64(let number) = self { number } else { nil } }

  /// The time, where the value is one.
  public var time: WallTime? { if case .timestamp(let time) = self { time } else { nil } }
}
