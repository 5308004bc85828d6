import ZoneKitRecords

/// The collections of a file.
extension DocumentSchemaReader {
  private static let identity = "x-zonekit-identity"
  private static let summary = "x-zonekit-summary"

  /// The collections, and what is summed by day. Of those with a problem some may be missing.
  mutating func collections() -> ([DocumentCollection], DocumentSchema.Summary?) {
    guard let node = root["properties"], let count = node.json.object?.count, count > 0 else {
      report(root["properties"] ?? root, "\"properties\" has to be an object with at least one collection")
      return ([], nil)
    }
    guard count <= DocumentSchema.collectionLimit else {
      report(node, "there are \(count) collections, at most \(DocumentSchema.collectionLimit) are allowed")
      return ([], nil)
    }
    var collections: [DocumentCollection] = []
    var summaries: [(collection: Name, node: JSONNode)] = []
    var names: Set<String> = []
    for member in node.members {
      checkName(member, reserved: [Name.conflicts.text], of: "it is the collection of the conflict journal")
      if !names.insert(member.key.lowercased()).inserted {
        report(member.value, isKey: true, "the names of collections have to differ in more than case")
      }
      guard let schema = resolved(member.value) else { continue }
      let name = Name(member.key)
      checkType(of: schema, is: "array")
      if let summary = schema[Self.summary] {
        checkKeywords(of: schema, ["type", Self.summary])
        summaries.append((name, summary))
        collections.append(DocumentCollection(name, isDerived: true, []))
      } else {
        collections.append(collection(name, schema))
      }
    }
    for other in summaries.dropFirst() {
      report(other.node, "only one \"\(Self.summary)\" is supported; leave the others out")
    }
    guard let first = summaries.first else { return (collections, nil) }
    return (collections, summary(first.collection, first.node, of: collections))
  }

  private mutating func collection(_ name: Name, _ schema: JSONNode) -> DocumentCollection {
    checkKeywords(of: schema, ["type", "items", Self.identity, Self.summary])
    guard let items = schema["items"] else {
      report(schema, "\"items\" is missing; it has to be the schema of a document of \(name)")
      return DocumentCollection(name, [])
    }
    guard let document = resolved(items) else { return DocumentCollection(name, []) }
    let members = members(of: document, inItem: false)
    return DocumentCollection(name, identity: identity(of: schema, members), members)
  }

  // MARK: Identity

  private mutating func identity(of schema: JSONNode, _ members: [DocumentMember]) -> DocumentCollection.Identity {
    guard let node = schema[Self.identity] else { return .any }
    let rule = "it has to be {\"only\": ID} or {\"member\": NAME}"
    guard let first = node.members.first, node.members.count == 1 else {
      report(node, "\"\(Self.identity)\" is \(node.json.excerpt); \(rule)")
      return .any
    }
    switch (first.key, first.value.json.string) {
    case ("only", let id?) where DocumentID.isValid(id): return .only(id)
    case ("only", _):
      let form = DocumentMember("", .documentID).expectation
      report(first.value, "\"only\" is \(first.value.json.excerpt); it has to be \(form)")
    case ("member", let name?): return identity(by: name, first.value, members)
    case ("member", _):
      report(first.value, "\"member\" is \(first.value.json.excerpt); it has to be the name of a member")
    default: report(first.value, isKey: true, "unknown keyword \"\(first.key)\"; \(rule)")
    }
    return .any
  }

  private mutating func identity(
    by name: String, _ node: JSONNode, _ members: [DocumentMember]
  ) -> DocumentCollection.Identity {
    guard let member = members.first(where: { $0.name.text == name }) else {
      report(node, "there is no member \"\(name)\"" + Self.guess(for: name, among: members.map(\.name.text)))
      return .any
    }
    guard member.kind.fieldType == .string, !member.isOptional, member.defaultValue == nil else {
      report(node, "\"\(name)\" cannot be the ID of a document; it has to be a string in \"required\" without default")
      return .any
    }
    return .member(member.name)
  }

  // MARK: Sums

  private mutating func summary(
    _ name: Name, _ node: JSONNode, of collections: [DocumentCollection]
  ) -> DocumentSchema.Summary? {
    let keys = ["of", "by", "documents", "items"]
    guard node.json.object != nil else {
      report(
        node, "\"\(Self.summary)\" is \(node.json.excerpt); it has to be an object with of, by, documents and items")
      return nil
    }
    checkKeywords(of: node, keys)
    var found: [(text: String, node: JSONNode)?] = []
    for key in keys {
      let value = node[key]
      if let value, let text = value.json.string {
        found.append((text, value))
      } else {
        report(value ?? node, "\"\(key)\" is \(value?.json.excerpt ?? "missing"); it has to be a name")
        found.append(nil)
      }
    }
    guard let source = found[0] else { return nil }
    let known = collections.filter { !$0.isDerived }
    guard let collection = known.first(where: { $0.name.text == source.text }) else {
      report(
        source.node,
        "there is no collection \"\(source.text)\"" + Self.guess(for: source.text, among: known.map(\.name.text)))
      return nil
    }
    guard let items = collection.items?.items else {
      report(source.node, "the documents of \(collection.name) have no items, so there is nothing to sum up")
      return nil
    }
    guard let day = found[1], let documents = found[2], let counted = found[3] else { return nil }
    checkDay(day, of: collection)
    checkCounts(documents, counted, items.amounts)
    return DocumentSchema.Summary(
      name, of: collection.name, by: Name(day.text), documents: Name(documents.text), items: Name(counted.text))
  }

  private mutating func checkDay(_ day: (text: String, node: JSONNode), of collection: DocumentCollection) {
    let days = collection.members.filter { $0.kind == .day }.map(\.name.text)
    guard !days.contains(day.text) else { return }
    report(
      day.node,
      "\"\(day.text)\" is no member of \(collection.name) with the format \"date\""
        + Self.guess(for: day.text, among: days))
  }

  private mutating func checkCounts(
    _ documents: (text: String, node: JSONNode), _ items: (text: String, node: JSONNode), _ amounts: [Name]
  ) {
    var taken = DocumentForm.metadata.union(DocumentForm.fields).union(amounts.map(\.text))
    taken.insert(DailySummary.parts.text)
    for (text, node) in [documents, items] {
      guard Self.isName(text), taken.insert(text).inserted else {
        report(node, "\"\(text)\" cannot be the name of a count; choose a name that the sums do not have already")
        continue
      }
    }
  }
}
