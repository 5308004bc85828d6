import ZoneKitRecords

extension SchemaDirectory {
  /// The schema that grew so far, in the terms of Apple's schema language; nil if no record was saved in the container. Fields have
  /// the indexes that CloudKit gives them when they are made by use, record names are queryable as they are here, and types
  /// have the grants that new types have there.
  package func schema(in store: some ZoneStore) throws(StoreError) -> ContainerSchema? {
    guard try store.zone(zone)?.isDeleted == false else { return nil }
    let page = try store.feed(.whole, in: zone).page
    var types: [ContainerSchema.RecordType] = []
    for name in page.rows.filter({ !$0.isDeleted }).map({ Name(page.text($0.name)) }).sorted() {
      let fields = try store.record(name, in: zone)?.fields.decoded() ?? Fields()
      types.append(Self.recordType(name, fields))
    }
    return ContainerSchema(types: types)
  }

  private static func recordType(_ name: Name, _ fields: Fields) -> ContainerSchema.RecordType {
    let own = fields.sorted.compactMap { field -> ContainerSchema.Field? in
      guard let type = field.value.text.flatMap({ FieldType(rawValue: $0) }) else { return nil }
      let value = ContainerSchema.ValueType(type)
      return ContainerSchema.Field(field.name, value, value.indexesByUse)
    }
    let recordID = ContainerSchema.Field("___recordID", ContainerSchema.ValueType(.reference), .queryable)
    var grants = [
      ContainerSchema.Grant(.write, to: ContainerSchema.creator),
      ContainerSchema.Grant(.create, to: ContainerSchema.signedIn),
      ContainerSchema.Grant(.read, to: ContainerSchema.world),
    ]
    if name == UserDirectory.publicType { grants.remove(at: 1) }
    return ContainerSchema.RecordType(name, [recordID] + own, grants)
  }
}

extension ContainerSchema.ValueType {
  /// The indexes of a field that was made by use.
  fileprivate var indexesByUse: ContainerSchema.Indexes {
    switch base {
    case .asset: []
    case .bytes: isEncrypted ? [] : [.queryable]
    case .reference: [.queryable]
    case .string: isList ? [.queryable, .searchable] : [.queryable, .searchable, .sortable]
    case .double, .int64, .location, .number, .timestamp: isList ? [.queryable] : [.queryable, .sortable]
    }
  }
}
