import ZoneKitExpressions
import ZoneKitRelations
import ZoneKitSchema

extension SQLFailure {
  /// A request would write rows of a view. PostgreSQL can write those of some views, which is not served.
  static func notWritten(_ verb: RelationRequest.Action.Verb, _ view: TypedQuery, _ name: String) -> SQLFailure {
    guard let reason = view.reasonAgainstWriting else {
      return SQLFailure(
        .notSupported, "cannot \(verb.rawValue) view \"\(name)\"", detail: "Rows of views are not written.",
        hint: "Write rows of the table that the view reads.")
    }
    let (doing, event) = verb.words
    return SQLFailure(
      Code(rawValue: "55000"), "cannot \(verb.rawValue) view \"\(name)\"",
      detail: "Views \(reason) are not automatically updatable.",
      hint:
        "To enable \(doing) the view, provide an INSTEAD OF \(event) trigger or an unconditional ON \(event) DO INSTEAD "
        + "rule.")
  }
}

extension RelationRequest.Action {
  /// What a request does with rows, in the words of messages.
  enum Verb: String {
    case insert = "insert into"
    case update = "update"
    case delete = "delete from"

    fileprivate var words: (String, String) {
      switch self {
      case .insert: ("inserting into", "INSERT")
      case .update: ("updating", "UPDATE")
      case .delete: ("deleting from", "DELETE")
      }
    }
  }

  /// What the request does with rows.
  var verb: Verb {
    switch self {
    case .insert, .read, .call: .insert
    case .update: .update
    case .delete: .delete
    }
  }
}

extension TypedQuery {
  /// Why PostgreSQL does not write rows of a view of this query; nil if it does.
  fileprivate var reasonAgainstWriting: String? {
    if isCounting { return "that return aggregate functions" }
    if distinct != .none { return "containing DISTINCT" }
    switch sources.first?.derivation {
    case .groups(let groups)?:
      return groups.keys == nil ? "that return aggregate functions" : "containing GROUP BY"
    case .combination?: return "containing UNION, INTERSECT, or EXCEPT"
    case .values?, .function?: return "that do not select from a single table or view"
    case .query?, nil: break
    }
    if limit != nil || skipped != nil { return "containing LIMIT or OFFSET" }
    return sources.count == 1 ? nil : "that do not select from a single table or view"
  }
}
