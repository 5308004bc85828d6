import ZoneKitRecords

/// The document of `/zonekit/faults`: the fault plan of a server, and its limits.
package struct FaultDocument: Sendable {
  /// The faults, in order. IDs and counts in the document are ignored.
  package var faults: [Fault]
  /// The limits in the document; nil if it has none.
  private var limits: JSON?

  /// Parses a document, as in `{"faults":[…],"limits":{…}}`.
  package init(parsing body: [UInt8]) throws(ControlReadingError) {
    try self.init(JSON(controlling: body))
  }

  /// The document that a JSON value holds.
  package init(_ document: JSON) throws(ControlReadingError) {
    guard let list = document["faults"]?.array else {
      throw ControlReadingError("faults", #"must be an array, as in {"faults":[{"do":"loseAnswer","times":1}]}"#)
    }
    faults = []
    for (index, object) in list.enumerated() {
      faults.append(try Fault(object, at: "faults[\(index)]"))
    }
    limits = document["limits"]
  }

  /// The limits after applying the document to `usual`. Limits that the document does not name are unchanged.
  package func limits(changing usual: Limits) throws(ControlReadingError) -> Limits {
    guard let limits else { return usual }
    return try usual.changed(by: limits)
  }

  /// The document for a plan, with the ID and counts of each fault, and for the limits if they are given.
  package static func json(of faults: [PlannedFault], limits: Limits? = nil) -> JSON {
    let list = faults.map { planned in
      JSON.object(
        planned.fault.members + [
          JSON.Member("id", .integer(Int64(planned.id))), JSON.Member("passed", .integer(Int64(planned.passed))),
          JSON.Member("hits", .integer(Int64(planned.hits))),
        ])
    }
    return .object(
      [JSON.Member("faults", .array(list))] + (limits.map { [JSON.Member("limits", $0.json)] } ?? []))
  }
}

extension JSON {
  /// Parses a request body of the control interface.
  init(controlling body: [UInt8]) throws(ControlReadingError) {
    do {
      self = try JSON(parsing: body)
    } catch {
      throw ControlReadingError("the body", "is no JSON: \(error)")
    }
  }
}
