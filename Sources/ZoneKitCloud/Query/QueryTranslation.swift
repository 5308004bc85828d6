import ZoneKitRecords

/// Translates a client's query to one of the store, with the types that fields have in a zone (CloudKit Web Services, b.6).
struct QueryTranslation {
  /// The client's query.
  let query: CloudQuery
  /// The definitions of the fields of its record type.
  let schema: [FieldDefinition]
  /// The rules that are strict, and the schema with the indexes of fields. Without a schema every field has all.
  var policy = CloudPolicy()

  /// The query of the store.
  func recordQuery() throws(EvaluationFailure) -> RecordQuery {
    // All records of a type are found by their names.
    if query.filters.isEmpty { try require(.queryable, of: .system(.recordName)) }
    return RecordQuery(query.recordType, where: try condition(), order: try order())
  }

  /// The condition of all filters.
  func condition() throws(EvaluationFailure) -> RecordCondition {
    var conditions: [RecordCondition] = []
    for filter in query.filters { conditions.append(try condition(filter)) }
    return .all(conditions)
  }

  // MARK: Indexes

  /// Refuses a key that has none of these indexes, in the words of the live service (CloudKit Web Services, b.6).
  private func require(_ indexes: ContainerSchema.Indexes, of key: CloudQuery.Key) throws(EvaluationFailure) {
    guard let type = policy.schema?.type(query.recordType), type.indexes(of: key).isDisjoint(with: indexes) else {
      return
    }
    let what = indexes.contains(.queryable) ? "queryable" : indexes == .sortable ? "sortable" : "searchable"
    throw refused("Field '\(QueryTarget(key, in: schema).name)' is not marked \(what)")
  }

  /// The indexes one of which a comparator needs: the one of equality also serves ranges, and that of an order does.
  private func indexes(for comparator: CloudQuery.Comparator) -> ContainerSchema.Indexes {
    switch comparator {
    case .containsAllTokens, .containsAnyTokens: .searchable
    case .lessThan, .lessThanOrEquals, .greaterThan, .greaterThanOrEquals: [.queryable, .sortable]
    case .equals, .notEquals, .near, .isIn, .isNotIn, .beginsWith, .notBeginsWith, .listContains, .notListContains,
      .listContainsAll, .notListContainsAll, .listContainsAny, .notListContainsAny, .listMemberBeginsWith,
      .notListMemberBeginsWith:
      .queryable
    }
  }

  // MARK: Order

  private func order() throws(EvaluationFailure) -> [RecordQuery.Order] {
    var order: [RecordQuery.Order] = []
    for sort in query.sort { order.append(try self.order(sort)) }
    // Without another order records are in that of their creation, so that a save between two pages moves none of them.
    if !order.contains(where: { $0.key == .createdAt }) { order.append(RecordQuery.Order(.createdAt)) }
    return order
  }

  private func order(_ sort: CloudQuery.Sort) throws(EvaluationFailure) -> RecordQuery.Order {
    let target = QueryTarget(sort.key, in: schema)
    try checkKnown(target)
    try require(.sortable, of: sort.key)
    if let place = sort.relativeLocation {
      guard case .field(let name) = sort.key, target.kind == .location || target.kind == .unknown else {
        throw refused("relativeLocation of sortBy needs a field of type LOCATION, and \(target.name) is none")
      }
      return RecordQuery.Order(.distance(name, place), isDescending: !sort.isAscending)
    }
    guard let key = target.key else {
      throw refused("field '\(target.name)' of \(query.recordType) is not sortable: it is of type \(target.kind)")
    }
    return RecordQuery.Order(key, isDescending: !sort.isAscending)
  }

  // MARK: Filters

  private func condition(_ filter: CloudQuery.Filter) throws(EvaluationFailure) -> RecordCondition {
    let value = QueryValue(filter, in: query.recordType)
    guard let key = filter.key else {
      guard filter.comparator.isOfWords else {
        throw refused("a filter \(filter.comparator.rawValue) needs a fieldName")
      }
      return .hasWords(nil, try value.words(), all: filter.comparator == .containsAllTokens)
    }
    let target = QueryTarget(key, in: schema)
    try checkKnown(target)
    try require(indexes(for: filter.comparator), of: key)
    if policy.strictness.contains(.typedLists), !filter.isTyped,
      filter.comparator == .isIn || filter.comparator == .isNotIn
    {
      throw refused(
        "Unexpected input: fieldValue of \(filter.comparator.rawValue) on '\(target.name)' needs a list type, such as "
          + "\(filter.value.type.rawValue)")
    }
    if filter.comparator.isOfList { return try listCondition(filter, target, value) }
    if filter.comparator.isOfWords || filter.comparator == .near {
      return try fieldCondition(filter, target, value)
    }
    guard target.kind != .list, let key = target.key(for: filter.value) else { throw misfit(filter, target) }
    return try scalarCondition(filter, key, target, value)
  }

  private func scalarCondition(
    _ filter: CloudQuery.Filter, _ key: RecordKey, _ target: QueryTarget, _ value: QueryValue
  ) throws(EvaluationFailure) -> RecordCondition {
    switch filter.comparator {
    case .equals: .compare(key, .equal, try value.single(for: target))
    case .notEquals: .isNotTrue(.compare(key, .equal, try value.single(for: target)))
    case .lessThan: .compare(key, .less, try value.ordered(for: target))
    case .lessThanOrEquals: .compare(key, .lessOrEqual, try value.ordered(for: target))
    case .greaterThan: .compare(key, .greater, try value.ordered(for: target))
    case .greaterThanOrEquals: .compare(key, .greaterOrEqual, try value.ordered(for: target))
    case .isIn: .isIn(key, try value.list(for: target))
    case .isNotIn: .isNotTrue(.isIn(key, try value.list(for: target)))
    case .beginsWith: .beginsWith(key, try value.text(for: target))
    case .notBeginsWith: .isNotTrue(.beginsWith(key, try value.text(for: target)))
    case .near, .containsAllTokens, .containsAnyTokens, .listContains, .notListContains, .listContainsAll,
      .notListContainsAll, .listContainsAny, .notListContainsAny, .listMemberBeginsWith, .notListMemberBeginsWith:
      throw misfit(filter, target)
    }
  }

  private func listCondition(
    _ filter: CloudQuery.Filter, _ target: QueryTarget, _ value: QueryValue
  ) throws(EvaluationFailure) -> RecordCondition {
    guard case .field(let name)? = filter.key, target.kind == .list || target.kind == .unknown else {
      throw misfit(filter, target)
    }
    let element = target.element
    let condition: ListCondition
    switch filter.comparator {
    case .listContains, .notListContains: condition = .hasAll([try value.single(for: element)])
    case .listContainsAll, .notListContainsAll: condition = .hasAll(try value.list(for: element))
    case .listContainsAny, .notListContainsAny: condition = .hasAny(try value.list(for: element))
    case .listMemberBeginsWith, .notListMemberBeginsWith: condition = .hasOneBeginning(try value.text(for: element))
    case .equals, .notEquals, .lessThan, .lessThanOrEquals, .greaterThan, .greaterThanOrEquals, .near,
      .containsAllTokens, .containsAnyTokens, .isIn, .isNotIn, .beginsWith, .notBeginsWith:
      throw misfit(filter, target)
    }
    return filter.comparator.isNegative ? .isNotTrue(.elements(name, condition)) : .elements(name, condition)
  }

  /// The condition of a comparator that only fields have.
  private func fieldCondition(
    _ filter: CloudQuery.Filter, _ target: QueryTarget, _ value: QueryValue
  ) throws(EvaluationFailure) -> RecordCondition {
    guard case .field(let name)? = filter.key else { throw misfit(filter, target) }
    if filter.comparator == .near {
      guard target.kind == .location || target.kind == .unknown, case .location(let place) = filter.value else {
        throw misfit(filter, target)
      }
      guard let distance = filter.distance, distance >= 0 else {
        throw refused("a filter NEAR on \(name) needs a distance in metres, 0 or more")
      }
      return .isNear(name, place, metres: distance)
    }
    guard target.mayHoldText else { throw misfit(filter, target) }
    return .hasWords(name, try value.words(), all: filter.comparator == .containsAllTokens)
  }

  // MARK: Errors

  private func checkKnown(_ target: QueryTarget) throws(EvaluationFailure) {
    guard target.kind == .unknown, policy.schema != nil || policy.strictness.contains(.fixedSchema) else { return }
    throw refused("Unknown field '\(target.name)'")
  }

  private func misfit(_ filter: CloudQuery.Filter, _ target: QueryTarget) -> EvaluationFailure {
    refused(
      "comparator \(filter.comparator.rawValue) with a value of type \(filter.value.type.rawValue) is not possible for "
        + "'\(target.name)' of \(query.recordType), which is of type \(target.kind)")
  }

  private func refused(_ reason: String) -> EvaluationFailure { .refused(.invalidArguments, reason) }
}

extension CloudQuery.Comparator {
  /// Whether it searches for words.
  fileprivate var isOfWords: Bool { self == .containsAllTokens || self == .containsAnyTokens }

  /// Whether it compares the elements of a list.
  fileprivate var isOfList: Bool { rawValue.hasPrefix("LIST_") || rawValue.hasPrefix("NOT_LIST_") }

  /// Whether it is true where its opposite is not.
  fileprivate var isNegative: Bool { rawValue.hasPrefix("NOT_") }
}
