import ZoneKitRecords

/// The document of `/zonekit/faults`: the fault plan of a server, and its limits.
package struct FaultDocument: Sendable {
  /// The faults, in order. Counts in the document are ignored.
  package var faults: [Fault]
  /// The ID that the document gives each fault; nil for none. A listed fault that is set again keeps its counts.
  package private(set) var ids: [Int?] = []
  /// The sentence of the scenario language that the document gives for each fault; nil for none.
  package private(set) var sentences: [String?] = []
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
      sentences.append(object["sentence"]?.string)
      ids.append(object["id"]?.integer.flatMap { Int(exactly: $0) })
    }
    limits = document["limits"]
  }

  /// The limits after applying the document to `usual`. Limits that the document does not name are unchanged.
  package func limits(changing usual: Limits) throws(MemberError) -> Limits {
    guard let limits else { return usual }
    return try usual.changed(by: limits)
  }

  /// The document for a plan, with the ID and counts of each fault, and for the limits if they are given. `sentence` is the
  /// sentence of a fault with that ID. `note` says in words why a fault cannot hit anything now; nil if it can.
  package static func json(
    of faults: [PlannedFault], limits: Limits? = nil, sentence: (Int) -> String? = { _ in nil },
    note: (Fault) -> String? = { _ in nil }
  ) -> JSON {
    let list = faults.map { planned in
      JSON.object(
        planned.fault.members
          + [JSON.Member](known: [
            "id": .integer(Int64(planned.id)), "passed": .integer(Int64(planned.passed)),
            "hits": .integer(Int64(planned.hits)), "sentence": sentence(planned.id).map { .string($0) },
            "note": note(planned.fault).map { .string($0) },
          ]))
    }
    return JSON(known: ["faults": .array(list), "limits": limits?.json])
  }

  /// A fault of the list in words: its sentence, otherwise what it does with its conditions; how often it hit, and its note.
  package static func text(_ fault: JSON) -> String {
    let (does, conditions) = words(of: fault)
    let hits = fault["hits"]?.integer ?? 0
    return [does, conditions].filter { !$0.isEmpty }.joined(separator: fault["sentence"] == nil ? " " : "; ")
      + (hits > 0 ? "; hit \(Int(hits).counted("time"))" : "")
  }

  /// What a fault of the list does: its sentence and its note; without a sentence the word and its conditions, as in
  /// `receiver B, times 1`, with its note.
  package static func words(of fault: JSON) -> (does: String, conditions: String) {
    guard let sentence = fault["sentence"]?.string else { return (fault["do"]?.string ?? "", conditions(of: fault)) }
    return (sentence, fault["note"]?.string ?? "")
  }

  private static func conditions(of fault: JSON) -> String {
    let others = ["id", "hits", "do", "name", "note", "passed", "scope", "sentence"]
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
