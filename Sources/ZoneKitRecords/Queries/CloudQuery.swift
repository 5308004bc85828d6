/// A query for the live records of one type (CloudKit Web Services, b.6).
public struct CloudQuery: Hashable, Sendable {
  /// The type of the records.
  public var recordType: Name
  /// The conditions, all of which hold for the records that are found.
  public var filters: [Filter]
  /// The order of the records; of equal ones the earlier created comes first.
  public var sort: [Sort]

  /// A query for records of that type.
  public init(_ recordType: Name, where filters: [Filter] = [], sortedBy sort: [Sort] = []) {
    self.recordType = recordType
    self.filters = filters
    self.sort = sort
  }

  /// What of a record is compared.
  public enum Key: Hashable, Sendable {
    /// A field.
    case field(Name)
    /// A property that the cloud gives to each record.
    case system(SystemField)
  }

  /// The properties that the cloud gives to each record, by their `systemFieldName`.
  public enum SystemField: String, CaseIterable, Hashable, Sendable {
    /// The record's name.
    case recordName
    /// The time of its creation.
    case createdTimestamp
    /// The time of its last save.
    case modifiedTimestamp
    /// The user who created it.
    case createdUserRecordName
    /// The user who saved it last.
    case modifiedUserRecordName
    /// Its parent.
    case parent
    /// The share to which it belongs.
    case share
  }

  /// A comparison.
  public enum Comparator: String, CaseIterable, Hashable, Sendable {
    case equals = "EQUALS"
    case notEquals = "NOT_EQUALS"
    case lessThan = "LESS_THAN"
    case lessThanOrEquals = "LESS_THAN_OR_EQUALS"
    case greaterThan = "GREATER_THAN"
    case greaterThanOrEquals = "GREATER_THAN_OR_EQUALS"
    case near = "NEAR"
    case containsAllTokens = "CONTAINS_ALL_TOKENS"
    case containsAnyTokens = "CONTAINS_ANY_TOKENS"
    case isIn = "IN"
    case isNotIn = "NOT_IN"
    case listContains = "LIST_CONTAINS"
    case notListContains = "NOT_LIST_CONTAINS"
    case listContainsAll = "LIST_CONTAINS_ALL"
    case notListContainsAll = "NOT_LIST_CONTAINS_ALL"
    case listContainsAny = "LIST_CONTAINS_ANY"
    case notListContainsAny = "NOT_LIST_CONTAINS_ANY"
    case beginsWith = "BEGINS_WITH"
    case notBeginsWith = "NOT_BEGINS_WITH"
    case listMemberBeginsWith = "LIST_MEMBER_BEGINS_WITH"
    case notListMemberBeginsWith = "NOT_LIST_MEMBER_BEGINS_WITH"
  }

  /// A condition on one value of a record.
  public struct Filter: Hashable, Sendable {
    /// The comparison.
    public var comparator: Comparator
    /// What is compared; nil for any field with a text.
    public var key: Key?
    /// The value with which it is compared.
    public var value: FieldValue
    /// Whether the client named the type of the value. Otherwise the type is a guess that the schema may correct.
    public var isTyped: Bool
    /// The greatest distance of a location in metres. Only with `near`.
    public var distance: Double?

    /// A condition.
    public init(
      _ comparator: Comparator, _ key: Key?, _ value: FieldValue, isTyped: Bool = true, distance: Double? = nil
    ) {
      self.comparator = comparator
      self.key = key
      self.value = value
      self.isTyped = isTyped
      self.distance = distance
    }
  }

  /// An order of records by one value. Records without the value come last.
  public struct Sort: Hashable, Sendable {
    /// The value.
    public var key: Key
    /// Whether smaller values come first.
    public var isAscending: Bool
    /// The location whose distance counts, if the value is a location.
    public var relativeLocation: Location?

    /// An order by that value.
    public init(_ key: Key, isAscending: Bool = true, relativeLocation: Location? = nil) {
      self.key = key
      self.isAscending = isAscending
      self.relativeLocation = relativeLocation
    }
  }
}
