import ZoneKitDocuments
import ZoneKitRecords

/// Members of a document that only newer clients know stay when older clients edit it.
package struct NewerMemberChecker: Sendable {
  /// The members that each document was seen with.
  private var seen: [RecordKey: Set<String>] = [:]

  /// A checker at the start.
  package init() {}

  /// The cloud stores a document like this.
  package mutating func stored(_ content: RecordContent, of key: RecordKey) {
    let names = Self.names(in: content)
    if !names.isEmpty { seen[key, default: []].formUnion(names) }
  }

  /// The violation in a document that the cloud stores like this at the end; nil for none.
  package func finding(_ content: RecordContent, of key: RecordKey) -> Finding? {
    guard let missing = seen[key]?.subtracting(Self.names(in: content)).min() else { return nil }
    return Finding(.lostEdit, "record \(key.id.words) lost the member \(missing), which its devices do not know")
  }

  private static func names(in content: RecordContent) -> Set<String> {
    guard case .string(let text)? = (try? content.fields.decoded())?[.extra],
      let members = (try? JSON(parsing: text))?.object
    else { return [] }
    return Set(members.map(\.key))
  }
}
