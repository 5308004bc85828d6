import ZoneKitRecords

/// Operations on records as changes of documents, and their results.
extension DocumentExchange {
  /// The change of an operation; the error if it is one of no document.
  func change(_ operation: RecordOperation, in feed: DocumentFeed) -> Result<DocumentChange, CloudError> {
    guard let recordName = operation.recordName, let name = DocumentName(recordName: recordName, in: feed) else {
      return .failure(Self.noDocument(operation.recordName ?? "", "its name is not that of a document"))
    }
    let base: DocumentChange.Base
    switch operation.changeTag.map(\.text) {
    case nil: base = .none
    case let text?:
      guard let tag = DocumentTag(text) else {
        return .failure(
          CloudError(.zoneNotFound, "the change tag of record \(recordName) is of another server or protocol"))
      }
      base = .tag(tag)
    }
    switch operation.kind {
    case .delete:
      return .success(
        DocumentChange(.delete, name, base: base, at: WallTime(milliseconds: 0), erases: true))
    case .create, .replace:
      return saving(operation, name, base)
    case .update, .forceUpdate, .forceReplace, .forceDelete:
      return .failure(Self.noDocument(recordName, "the operation \(operation.kind.rawValue) does not exist there"))
    }
  }

  private static func noDocument(_ name: Name, _ why: String) -> CloudError {
    CloudError(.invalidArguments, "record \(name) cannot be sent as a document: \(why)")
  }

  private func saving(
    _ operation: RecordOperation, _ name: DocumentName, _ base: DocumentChange.Base
  ) -> Result<DocumentChange, CloudError> {
    guard let collection = app.schema.collection(name.collection), let fields = operation.savedFields,
      let data = DocumentWriter(collection, of: app.schema).data(of: fields),
      case .timestamp(let stamp)? = fields[collection.stampMember]
    else { return .failure(Self.noDocument(name.recordName, "its fields are not those of a document")) }
    let kind: DocumentChange.Operation =
      fields.isDeleted ? .delete : operation.kind == .create ? .create : .update
    return .success(DocumentChange(kind, name, base: base, at: stamp, data: data))
  }

  /// The results of the operations of a batch, given the results of those that were sent.
  func results(_ answer: PushAnswer, of batch: ModifyRecords) -> [RecordResult] {
    guard let feed = feed(of: batch.zoneID) else { return [] }
    var rest = answer.results[...]
    return batch.operations.map { operation in
      switch change(operation, in: feed) {
      case .failure(let error): .failed(operation.recordName, error)
      case .success:
        rest.popFirst().map { result($0, of: operation) }
          ?? .failed(operation.recordName, CloudError(.internalError, "the server's answer has no result for it"))
      }
    }
  }

  private func result(_ result: ChangeResult, of operation: RecordOperation) -> RecordResult {
    let name = result.name.recordName
    switch result.outcome {
    case .applied(let isChanged, let version):
      guard let fields = operation.savedFields else {
        return .deleted(name, version.tag.map { ChangeTag($0.text) })
      }
      let record = record(name, result.name.collection, EncodedFields(fields), version)
      // The time of a version that was there before says nothing about the server's clock.
      return isChanged ? .record(record) : .kept(record)
    case .conflict(_, nil, isChanged: _):
      return .failed(name, CloudError(.unknownItem, "the server has no document \(name)"))
    case .conflict(_, .some, isChanged: _):
      return .failed(name, CloudError(.serverRecordChanged, "the server has another version of \(name)"))
    case .failed(let error):
      var refused = CloudError(error.cause, error.message)
      // The tag is one of a data set that the server does not have any more.
      refused.isAfterLoss = error.code == .datasetChanged
      return .failed(name, refused)
    }
  }

  /// The results of a lookup, in the order of the names.
  func results(_ documents: [Document], _ names: [Name]) -> [RecordResult] {
    let found = Dictionary(documents.map { ($0.name.recordName, $0) }, uniquingKeysWith: { $1 })
    return names.map { name in
      found[name].map { .record(record($0)) }
        ?? .failed(name, CloudError(.unknownItem, "the server has no document \(name)"))
    }
  }
}

extension RecordOperation {
  /// The fields that the operation saves; nil for a deletion, or if it removes a field by name.
  fileprivate var savedFields: Fields? {
    guard !kind.isDeletion else { return nil }
    var saved = Fields()
    for field in fields {
      guard case .set(let value, isTyped: _, isEncrypted: _) = field.change else { return nil }
      saved[field.name] = value
    }
    return saved
  }
}
