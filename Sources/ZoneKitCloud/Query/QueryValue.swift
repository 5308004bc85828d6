import ZoneKitRecords

/// The value of a filter, as the store compares it.
struct QueryValue {
  private let filter: CloudQuery.Filter
  private let recordType: Name

  /// The value of a filter on records of that type.
  init(_ filter: CloudQuery.Filter, in recordType: Name) {
    self.filter = filter
    self.recordType = recordType
  }

  /// The value for an equality.
  func single(for target: QueryTarget) throws(EvaluationFailure) -> RecordValue {
    guard let value = compared(filter.value, with: target) else { throw misfit(target) }
    return value
  }

  /// The value for an inequality, which numbers, times and texts have.
  func ordered(for target: QueryTarget) throws(EvaluationFailure) -> RecordValue {
    let value = try single(for: target)
    guard target.kind != .bytes, target.kind != .reference || target.type == nil else { throw misfit(target) }
    return value
  }

  /// The text with which values begin.
  func text(for target: QueryTarget) throws(EvaluationFailure) -> String {
    guard case .string(let text) = filter.value, target.kind != .number, target.kind != .location else {
      throw misfit(target)
    }
    return text
  }

  /// The values of a list.
  func list(for target: QueryTarget) throws(EvaluationFailure) -> [RecordValue] {
    guard let elements = filter.value.elements else { throw misfit(target) }
    var values: [RecordValue] = []
    for element in elements {
      guard let value = compared(element, with: target) else { throw misfit(target) }
      values.append(value)
    }
    return values
  }

  /// The words of a text, or of a list of texts.
  func words() throws(EvaluationFailure) -> [String] {
    switch filter.value {
    case .string(let text): return SearchWords.words(of: text)
    case .stringList(let texts): return texts.flatMap { SearchWords.words(of: $0) }
    default:
      throw .refused(
        .invalidArguments, "comparator \(filter.comparator.rawValue) needs a value of type STRING or STRING_LIST")
    }
  }

  /// The value as the store compares it with values of the target; nil if they do not compare. A value whose type the client
  /// did not name is converted, as in a save.
  private func compared(_ value: FieldValue, with target: QueryTarget) -> RecordValue? {
    if !filter.isTyped, let type = target.type, value.type != type, let fitted = value.fitted(to: type, isTyped: false)
    {
      return compared(fitted, of: target.kind)
    }
    return compared(value, of: target.kind)
  }

  private func compared(_ value: FieldValue, of kind: QueryTarget.Kind) -> RecordValue? {
    switch (value, kind) {
    case (.reference(let reference), .reference), (.reference(let reference), .unknown): .text(reference.recordName)
    case (.string(let text), .reference): .text(Name(text))
    case (.string, .text), (.string, .unknown), (.bytes, .bytes), (.bytes, .unknown), (.encryptedBytes, .bytes),
      (.int64, .number), (.double, .number), (.timestamp, .number), (.int64, .unknown), (.double, .unknown),
      (.timestamp, .unknown):
      RecordValue(value)
    default: nil
    }
  }

  private func misfit(_ target: QueryTarget) -> EvaluationFailure {
    let expected = target.type?.rawValue ?? "\(target.kind)"
    return .refused(
      .invalidArguments,
      "Invalid value, expected type \(expected) for field \(target.name) of \(recordType) with comparator "
        + "\(filter.comparator.rawValue), got \(filter.value.type.rawValue)")
  }
}

extension FieldValue {
  /// The elements of a list; nil for another value.
  fileprivate var elements: [FieldValue]? {
    switch self {
    case .stringList(let list): list.map { .string($0) }
    case .int64List(let list): list.map { .int64($0) }
    case .doubleList(let list): list.map { .double($0) }
    case .bytesList(let list): list.map { .bytes($0) }
    case .timestampList(let list): list.map { .timestamp($0) }
    case .referenceList(let list): list.map { .reference($0) }
    case .locationList(let list): list.map { .location($0) }
    case .assetList(let list): list.map { .asset($0) }
    case .unknownList: []
    case .string, .int64, .double, .bytes, .encryptedBytes, .timestamp, .reference, .location, .asset: nil
    }
  }
}
