import ZoneKitRecords
import ZoneKitSync
import ZoneKitTables
import ZoneKitTimeline

/// What timelines use of messages besides their short descriptions: names of records, change tags, tokens.
extension TraceDetail {
  /// The most names in a text.
  private static let nameLimit = 3

  /// The detail of a request.
  init(_ request: CloudRequest) {
    switch request {
    case .modifyRecords(let batch):
      let names = batch.operations.compactMap { $0.recordName?.text }
      self.init(.usual, Self.list(batch.operations.map(Self.text)), records: names)
    case .lookupRecords(_, let names):
      self.init(.usual, Self.list(names.map(\.short)), records: names.map(\.text))
    case .fetchDatabaseChanges(let token, _): self.init(.usual, Self.text(from: token))
    case .fetchZoneChanges(let queries):
      self.init(.usual, queries.map { Self.text(from: $0.token) }.joined(separator: ", "))
    case .listZones, .lookupZones, .modifyZones, .queryRecords, .createUploads, .rereferenceAssets, .listSubscriptions,
      .lookupSubscriptions,
      .modifySubscriptions, .createPushToken, .registerPushToken, .fetchUsers,
      .resolveShares, .acceptShares:
      self.init()
    }
  }

  /// The detail of an answer.
  init(_ response: CloudResponse) {
    switch response {
    case .records(let results), .atomicFailure(let results):
      let names = results.compactMap { Self.name(of: $0)?.text }
      self.init(.usual, Self.list(results.map(Self.text)), records: names)
    case .databaseChanges(let changes):
      let isIdle = changes.zones.isEmpty && !changes.moreComing
      self.init(isIdle ? .idle : .usual, Self.text(to: changes.token))
    case .zoneChanges(let results): self.init(results)
    case .subscriptions(let results):
      // A subscription that does not exist yet is a part of the set-up.
      let hasFailed = results.contains {
        if case .failed(_, let error) = $0 { error.code != .unknownItem } else { false }
      }
      self.init(hasFailed ? .usual : .setUp)
    case .users, .pushToken: self.init(.setUp)
    case .failure(let error): self.init(.usual, error.reason)
    case .zones, .queries, .uploads, .assets, .shares: self.init()
    }
  }

  private init(_ results: [ZoneChangesResult]) {
    var parts: [String] = []
    var names: [String] = []
    var isIdle = true
    for result in results {
      switch result {
      case .changes(let changes):
        let page = changes.page.changes
        isIdle = isIdle && page.isEmpty && !changes.moreComing
        names += page.map(\.recordName.text)
        parts +=
          page.isEmpty
          ? [Self.text(to: changes.token)] : [Self.list(page.map(Self.text)), Self.text(to: changes.token)]
      case .failed(_, let error):
        isIdle = false
        parts.append(error.reason)
      }
    }
    self.init(isIdle ? .idle : .usual, parts.joined(separator: ", "), records: names)
  }

  /// The detail of a fact of a device.
  init(_ fact: DeviceFact) {
    switch fact {
    case .syncStarted: self.init(.syncBegins)
    case .syncFinished(_, let records, _): self.init(.syncEnds(isIdle: records == 0))
    case .syncFailed: self.init(.syncEnds(isIdle: false))
    case .conflict(let entry):
      self.init(.usual, Self.versions(of: entry), records: [entry.recordID.recordName.text])
    case .quarantined(let id, _), .recognisedOwnWrite(let id), .released(let id):
      self.init(.usual, id.recordName.short, records: [id.recordName.text])
    case .pushTokenRegistered, .subscriptionChecked: self.init(.setUp)
    default: self.init()
    }
  }

  /// The detail of edits by a user.
  init(_ edits: [RecordEdit]) { self.init(.usual, records: edits.map(\.recordID.recordName.text)) }

  // MARK: Texts

  /// The type and the short name, unless the name begins with the type.
  static func short(_ name: Name, of type: Name) -> String {
    let short = name.short
    return short.hasPrefix("\(type) ") || short.hasPrefix("\(type)/") ? short : "\(type) \(short)"
  }

  private static func list(_ texts: [String]) -> String {
    texts.prefix(nameLimit).joined(separator: ", ")
      + (texts.count > nameLimit ? " and \(texts.count - nameLimit) more" : "")
  }

  private static func text(_ operation: RecordOperation) -> String {
    let name = operation.recordName.map(\.short) ?? "a new record"
    let isDeletion = operation.kind == .delete || operation.kind == .forceDelete
    return (isDeletion ? "delete " : "") + name + (operation.changeTag.map { " at tag \($0.text)" } ?? "")
  }

  private static func text(_ result: RecordResult) -> String {
    switch result {
    case .record(let record): "\(record.recordName.short) tag \(record.changeTag.text)"
    case .kept(let record): "\(record.recordName.short) kept tag \(record.changeTag.text)"
    case .deleted(let name, _): "\(name.short) deleted"
    case .failed(let name, let error): "\(name.map(\.short) ?? "a record"): \(error.code.rawValue)"
    }
  }

  private static func name(of result: RecordResult) -> Name? {
    switch result {
    case .record(let record), .kept(let record): record.recordName
    case .deleted(let name, _): name
    case .failed(let name, _): name
    }
  }

  private static func text(_ change: RecordChange) -> String {
    switch change {
    case .saved(let record): "\(record.recordName.short) tag \(record.changeTag.text)"
    case .deleted(let name, _): "\(name.short) deleted"
    }
  }

  private static func text(from token: ChangeToken?) -> String {
    token.map { "from token \(end(of: $0))" } ?? "from the beginning"
  }

  private static func text(to token: ChangeToken) -> String { "to token \(end(of: token))" }

  /// The end of a token: two tokens of one feed differ there.
  private static func end(of token: ChangeToken) -> String { "…" + token.text.suffix(5) }

  /// Both versions of a conflict, by the fields that differ.
  private static func versions(of entry: ConflictEntry) -> String {
    RecordContent.comparison(of: entry.recordID, entry.local, "local", entry.server, "server")
  }
}

extension RecordContent {
  /// What differs between two versions of a record, in words: each field with both values, or which side has nothing.
  static func comparison(
    of id: RecordID, _ first: RecordContent?, _ firstName: String, _ second: RecordContent?, _ secondName: String
  ) -> String {
    guard first != nil, second != nil else {
      return "\(firstName) has \(words(first)), \(secondName) has \(words(second))"
    }
    guard
      let difference = try? RecordDifference(of: id, type: nil, first: first, second: second, cloud: second),
      let ours = difference.first, let theirs = difference.second
    else { return "\(firstName) and \(secondName) have different texts" }
    let parts = zip(difference.fields, zip(ours, theirs)).map { ($0, $1.0, $1.1) }
    var words: [String] = []
    var rest = parts[...]
    while let (field, ours, theirs) = rest.first {
      let item = item(of: field)
      let members = rest.prefix { Self.item(of: $0.0) == item }
      if let item, members.count > 1 {
        words.append(Self.words(item, members, firstName, secondName))
        rest = rest.dropFirst(members.count)
      } else {
        words.append("\(field) is \(ours ?? "missing") on \(firstName), \(theirs ?? "missing") on \(secondName)")
        rest = rest.dropFirst()
      }
    }
    return words.joined(separator: "; ")
  }

  /// The item of a list to which a part of a field belongs, such as `items["Milk"]`; nil for any other field.
  private static func item(of field: Name) -> String? {
    field.text.firstRange(of: "].").map { String(field.text[..<$0.lowerBound]) + "]" }
  }

  /// Both versions of an item by its members. A version that is missing comes first, so that a text that is cut has both.
  private static func words(
    _ item: String, _ members: ArraySlice<(Name, String?, String?)>, _ firstName: String, _ secondName: String
  ) -> String {
    func words(_ value: ((Name, String?, String?)) -> String?) -> String {
      let texts = members.compactMap { member -> String? in
        let name = member.0.text.dropFirst(item.count + 1)
        // The item is named already, and its ID says nothing to people.
        guard name != "_id", name != "name" else { return nil }
        return value(member).map { "\(name) \($0)" }
      }
      return texts.isEmpty ? "missing" : texts.joined(separator: ", ")
    }
    var sides = [(words { $0.1 }, firstName), (words { $0.2 }, secondName)]
    if sides[1].0 == "missing" { sides.reverse() }
    return "\(item) is \(sides[0].0) on \(sides[0].1), \(sides[1].0) on \(sides[1].1)"
  }

  /// The fields of a version, or that there is none.
  static func words(_ content: RecordContent?) -> String {
    guard let content else { return "nothing" }
    guard let fields = try? content.fields.decoded() else { return "fields that cannot be read" }
    return fields.sorted.map { "\($0.name) \(FieldValue.words($0.value))" }.joined(separator: ", ")
  }
}
