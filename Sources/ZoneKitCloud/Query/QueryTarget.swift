import ZoneKitRecords

/// What a filter or an order compares, with the kind of its values.
struct QueryTarget {
  /// A kind of values. Values of one kind compare with each other.
  enum Kind: Hashable, CustomStringConvertible {
    case text
    case number
    case reference
    case bytes
    case location
    case asset
    /// A list of any kind.
    case list
    /// No record has such a field yet.
    case unknown

    /// The kind in words.
    var description: String {
      switch self {
      case .text: "STRING"
      case .number: "number"
      case .reference: "REFERENCE"
      case .bytes: "BYTES"
      case .location: "LOCATION"
      case .asset: "ASSETID"
      case .list: "list"
      case .unknown: "unknown"
      }
    }
  }

  /// The name that the client used.
  let name: String
  /// The kind of the values.
  let kind: Kind
  /// The type of the field; nil for a system field and for one that no record has yet.
  let type: FieldType?
  private let client: CloudQuery.Key

  /// The target of a key.
  init(_ key: CloudQuery.Key, in schema: [FieldDefinition]) {
    client = key
    switch key {
    case .field(let field):
      let type = schema.first { $0.field == field }?.type
      self.type = type
      name = field.text
      kind = type.map { Kind($0) } ?? .unknown
    case .system(let field):
      type = nil
      name = field.rawValue
      kind = field == .createdTimestamp || field == .modifiedTimestamp ? .number : .reference
    }
  }

  private init(name: String, kind: Kind, type: FieldType?, client: CloudQuery.Key) {
    (self.name, self.kind, self.type, self.client) = (name, kind, type, client)
  }

  /// The elements of a list.
  var element: QueryTarget {
    let element = type?.element
    return QueryTarget(name: name, kind: element.map { Kind($0) } ?? .unknown, type: element, client: client)
  }

  /// Whether it may hold a text, or several.
  var mayHoldText: Bool { kind == .text || kind == .unknown || type == .stringList }

  /// What the store orders by; nil for values that have no order.
  var key: RecordKey? {
    switch client {
    case .system(let field): RecordKey(field)
    case .field(let name):
      switch kind {
      case .text, .number, .bytes, .unknown: .field(name)
      case .reference: .target(name)
      case .location, .asset, .list: nil
      }
    }
  }

  /// What the store compares with that value; nil for values that do not compare. Where no record has the field yet, the
  /// kind of the value counts.
  func key(for value: FieldValue) -> RecordKey? {
    guard case .field(let name) = client, kind == .unknown else { return key }
    switch value {
    case .reference, .referenceList: return .target(name)
    default: return .field(name)
    }
  }
}

extension QueryTarget.Kind {
  /// The kind of the values of a type.
  init(_ type: FieldType) {
    switch type {
    case .string: self = .text
    case .int64, .double, .timestamp: self = .number
    case .bytes, .encryptedBytes: self = .bytes
    case .reference: self = .reference
    case .location: self = .location
    case .asset: self = .asset
    case .stringList, .int64List, .doubleList, .bytesList, .timestampList, .referenceList, .locationList, .assetList,
      .unknownList:
      self = .list
    }
  }
}

extension RecordKey {
  /// The store's key of a property that the cloud gives to each record.
  init(_ field: CloudQuery.SystemField) {
    switch field {
    case .recordName: self = .recordName
    case .createdTimestamp: self = .createdAt
    case .modifiedTimestamp: self = .modifiedAt
    case .createdUserRecordName: self = .createdBy
    case .modifiedUserRecordName: self = .modifiedBy
    case .parent: self = .parent
    case .share: self = .share
    }
  }
}

extension FieldType {
  /// The type of a list's elements; nil for an unknown one and for a type that is no list.
  var element: FieldType? {
    switch self {
    case .stringList: .string
    case .int64List: .int64
    case .doubleList: .double
    case .bytesList: .bytes
    case .timestampList: .timestamp
    case .referenceList: .reference
    case .locationList: .location
    case .assetList: .asset
    case .unknownList, .string, .int64, .double, .bytes, .encryptedBytes, .timestamp, .reference, .location, .asset: nil
    }
  }
}
