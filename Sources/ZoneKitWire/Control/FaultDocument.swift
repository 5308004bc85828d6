import ZoneKitRecords

/// The document of `/zonekit/faults`: the fault plan of a server, and its limits.
package struct FaultDocument: Sendable {
  /// The faults, in order. Counts in the document are ignored.
  package var faults: [Fault]
  /// The ID that the document gives each fault; nil for none. A listed fault that is set again keeps its counts.
  package private(set) var ids: [Int?] = []
  /// The limits in the document; nil if it has none.
  private var limits: JSON?

  /// Parses a document, as in `{"faults":[…],"limits":{…}}`.
  package init(parsing body: [UInt8]) throws(MemberError) {
    try self.init(JSON(controlling: body))
  }

  /// The document that a JSON value holds.
  package init(_ document: JSON) throws(MemberError) {
    guard let list = document["faults"]?.array else {
      throw MemberError("faults", #"must be an array, as in {"faults":[{"do":"loseAnswer","times":1}]}"#)
    }
    faults = []
    for (index, object) in list.enumerated() {
      faults.append(try Fault(object, at: "faults[\(index)]"))
      ids.append(object["id"]?.integer.flatMap { Int(exactly: $0) })
    }
    limits = document["limits"]
  }

  /// The limits after applying the document to `usual`. Limits that the document does not name are unchanged.
  package func limits(changing usual: Limits) throws(MemberError) -> Limits {
    guard let limits else { return usual }
    return try usual.changed(by: limits)
  }

  /// The document for a plan, with the ID and counts of each fault, and for the limits if they are given. `note` says in
  /// words why a fault cannot hit anything now; nil if it can.
  package static func json(
    of faults: [PlannedFault], limits: Limits? = nil, note: (Fault) -> String? = { _ in nil }
  ) -> JSON {
    let list = faults.map { planned in
      JSON.object(
        planned.fault.members
          + [JSON.Member](known: [
            "id": .integer(Int64(planned.id)), "passed": .integer(Int64(planned.passed)),
            "hits": .integer(Int64(planned.hits)), "note": note(planned.fault).map { .string($0) },
          ]))
    }
    return JSON(known: ["faults": .array(list), "limits": limits?.json])
  }

  /// A fault of the list in words: what it does, its conditions, and its note.
  package static func text(_ fault: JSON) -> String { "\(fault["do"]?.string ?? "") \(conditions(of: fault))" }

  /// The conditions of a fault of the list, as in `receiver B, times 1`, and its note.
  package static func conditions(of fault: JSON) -> String {
    let others = ["id", "hits", "do", "name", "note", "passed", "scope"]
    let named = (fault.object ?? []).filter { member in
      !others.contains(member.key) && !(member.key == "after" && member.value.integer == 0)
        && !(member.key == "perMille" && member.value.integer == 1000)
    }
    let conditions = named.map { "\($0.key) \($0.value.string ?? $0.value.text())" }
    return (conditions + [fault["note"]?.string].compactMap(\.self)).joined(separator: ", ")
  }
}

extension JSON {
  /// Parses a request body of the control interface.
  init(controlling body: [UInt8]) throws(MemberError) {
    do {
      self = try JSON(parsing: body)
    } catch {
      throw MemberError("the body", "is no JSON: \(error)")
    }
  }
}
