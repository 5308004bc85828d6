import Records

extension RecordContent {
  /// Content of those fields.
  public init(_ fields: Fields, parent: Name? = nil) {
    self.init(fields: EncodedFields(fields), parent: parent)
  }

  /// The fields, decoded. Content that came from a store or the cloud can always be decoded; other content has no fields.
  public var decoded: Fields { (try? fields.decoded()) ?? Fields() }

  /// The value of a field; nil where there is none.
  public subscript(name: Name) -> FieldValue? { decoded[name] }
}
