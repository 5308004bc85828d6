import ZoneKitRecords

/// The schema of a container as Apple's schema language states it ("Integrating a Text-Based Schema into Your Workflow"):
/// record types with the types and indexes of their fields, roles, and what a role may do in the public database.
package struct ContainerSchema: Hashable, Sendable {
  /// The indexes of a field.
  package struct Indexes: OptionSet, Hashable, Sendable {
    package let rawValue: UInt8
    package init(rawValue: UInt8) { self.rawValue = rawValue }

    /// Filters can compare the field.
    package static let queryable = Indexes(rawValue: 1 << 0)
    /// Filters can search for words in the field.
    package static let searchable = Indexes(rawValue: 1 << 1)
    /// Records can be ordered by the field.
    package static let sortable = Indexes(rawValue: 1 << 2)

    /// The indexes with their words in the language, in the order of a text.
    static let named: [(word: String, index: Indexes)] = [
      ("QUERYABLE", .queryable), ("SEARCHABLE", .searchable), ("SORTABLE", .sortable),
    ]
  }

  /// What a role may do with records of a type.
  package struct Permissions: OptionSet, Hashable, Sendable {
    package let rawValue: UInt8
    package init(rawValue: UInt8) { self.rawValue = rawValue }

    /// Looking records up and querying them.
    package static let read = Permissions(rawValue: 1 << 0)
    /// Making records.
    package static let create = Permissions(rawValue: 1 << 1)
    /// Changing and deleting records.
    package static let write = Permissions(rawValue: 1 << 2)

    /// The permissions with their words in the language, in the order of a text.
    static let named: [(word: String, permission: Permissions)] = [
      ("READ", .read), ("CREATE", .create), ("WRITE", .write),
    ]
  }

  /// The type of a field's values.
  package struct ValueType: Hashable, Sendable {
    /// The types of the language.
    package enum Base: String, CaseIterable, Sendable {
      case asset = "ASSET"
      case bytes = "BYTES"
      case double = "DOUBLE"
      case int64 = "INT64"
      case location = "LOCATION"
      /// A number of a field that was added by use: of either kind unless one is preferred.
      case number = "NUMBER"
      case reference = "REFERENCE"
      case string = "STRING"
      case timestamp = "TIMESTAMP"
    }

    /// The type, or that of the elements.
    package var base: Base
    /// Whether a value is a list.
    package var isList = false
    /// Whether devices encrypt the values.
    package var isEncrypted = false
    /// The kind of a number; nil if none is preferred.
    package var preferred: Base?

    /// A type.
    package init(_ base: Base, isList: Bool = false, isEncrypted: Bool = false, preferred: Base? = nil) {
      (self.base, self.isList, self.isEncrypted, self.preferred) = (base, isList, isEncrypted, preferred)
    }
  }

  /// A field of a record type.
  package struct Field: Hashable, Sendable {
    /// The name; that of a system field begins with `___`.
    package var name: Name
    /// The type of the values.
    package var type: ValueType
    /// The indexes.
    package var indexes: Indexes = []

    /// A field.
    package init(_ name: Name, _ type: ValueType, _ indexes: Indexes = []) {
      (self.name, self.type, self.indexes) = (name, type, indexes)
    }
  }

  /// Permissions of a role.
  package struct Grant: Hashable, Sendable {
    /// The role.
    package var role: String
    /// What it may do.
    package var permissions: Permissions

    /// A grant.
    package init(_ permissions: Permissions, to role: String) { (self.role, self.permissions) = (role, permissions) }
  }

  /// A record type.
  package struct RecordType: Hashable, Sendable {
    /// The name.
    package var name: Name
    /// The fields in the order of the text. System fields are there only for their indexes.
    package var fields: [Field]
    /// The permissions in the public database.
    package var grants: [Grant]

    /// A record type.
    package init(_ name: Name, _ fields: [Field], _ grants: [Grant]) {
      (self.name, self.fields, self.grants) = (name, fields, grants)
    }
  }

  /// Everybody, signed in or not.
  package static let world = "_world"
  /// Everybody who is signed in.
  package static let signedIn = "_icloud"
  /// The user who made a record.
  package static let creator = "_creator"
  /// The roles that every schema has.
  package static let systemRoles = [world, signedIn, creator]

  /// The roles of the container's own.
  package let roles: [String]
  /// The record types in the order of the text.
  package let types: [RecordType]
  private let places: [Name: Int]
  private let definitions: [[FieldDefinition]]

  /// A schema of those roles and types. Each name is there once.
  package init(roles: [String] = [], types: [RecordType]) {
    self.roles = roles
    self.types = types
    places = Dictionary(uniqueKeysWithValues: types.enumerated().map { ($1.name, $0) })
    definitions = types.map { type in
      type.fields.filter { !$0.name.isReserved }.sorted { $0.name < $1.name }.map {
        FieldDefinition(recordType: type.name, field: $0.name, type: $0.type.fieldType)
      }
    }
  }

  /// The record type of that name; nil if there is none. Each container has the type of users.
  func type(_ name: Name) -> RecordType? {
    if let place = places[name] { return types[place] }
    guard name == UserDirectory.publicType else { return nil }
    return RecordType(name, [], [Grant(.write, to: Self.creator), Grant(.read, to: Self.world)])
  }

  /// The definitions of a record type's fields, in ascending order of the fields; nil if there is no such type.
  func definitions(of recordType: Name) -> [FieldDefinition]? {
    places[recordType].map { definitions[$0] } ?? (recordType == UserDirectory.publicType ? [] : nil)
  }
}

extension ContainerSchema.ValueType {
  /// The type in the web services.
  var fieldType: FieldType {
    switch base {
    case .asset: isList ? .assetList : .asset
    case .bytes: isList ? .bytesList : isEncrypted ? .encryptedBytes : .bytes
    case .double: isList ? .doubleList : .double
    case .int64: isList ? .int64List : .int64
    case .location: isList ? .locationList : .location
    case .number where preferred == .int64: isList ? .int64List : .int64
    case .number: isList ? .doubleList : .double
    case .reference: isList ? .referenceList : .reference
    case .string: isList ? .stringList : .string
    case .timestamp: isList ? .timestampList : .timestamp
    }
  }

  /// A type of the web services in the language; that of a list of unknown elements is a list of texts.
  init(_ type: FieldType) {
    let isList = type == .unknownList || type.element != nil
    switch type {
    case .string, .stringList, .unknownList: self.init(.string, isList: isList)
    case .int64, .int64List: self.init(.int64, isList: isList)
    case .double, .doubleList: self.init(.double, isList: isList)
    case .bytes, .bytesList: self.init(.bytes, isList: isList)
    case .encryptedBytes: self.init(.bytes, isEncrypted: true)
    case .timestamp, .timestampList: self.init(.timestamp, isList: isList)
    case .reference, .referenceList: self.init(.reference, isList: isList)
    case .location, .locationList: self.init(.location, isList: isList)
    case .asset, .assetList: self.init(.asset, isList: isList)
    }
  }
}

extension ContainerSchema.RecordType {
  /// The fields that every record type has, with their types.
  static let systemFields: [(name: Name, type: ContainerSchema.ValueType.Base)] = [
    ("___createTime", .timestamp), ("___createdBy", .reference), ("___etag", .string), ("___modTime", .timestamp),
    ("___modifiedBy", .reference), ("___recordID", .reference),
  ]

  /// The indexes of what a query compares. The language has no parents and shares, which every query can compare.
  func indexes(of key: CloudQuery.Key) -> ContainerSchema.Indexes {
    let name: Name
    switch key {
    case .field(let field): name = field
    case .system(.recordName): name = "___recordID"
    case .system(.createdTimestamp): name = "___createTime"
    case .system(.modifiedTimestamp): name = "___modTime"
    case .system(.createdUserRecordName): name = "___createdBy"
    case .system(.modifiedUserRecordName): name = "___modifiedBy"
    case .system(.parent), .system(.share): return [.queryable, .sortable]
    }
    return fields.first { $0.name == name }?.indexes ?? []
  }
}
