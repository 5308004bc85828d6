import ZoneKitRecords

/// Where the next page of a query begins: after the last record of the page before it. A client gets it as base64 text.
///
/// It has the values by which that record was ordered, so that changes of records between two pages neither repeat nor skip
/// others, and a hash of the query, because it is valid for that query alone (CloudKit Web Services, c.5).
struct ContinuationMarker: Hashable {
  /// The zone of the last record.
  var zoneName: Name
  /// The place of the last record in the order of the query.
  var position: RecordQuery.Position

  /// A marker after a record.
  init(zoneName: Name, position: RecordQuery.Position) {
    self.zoneName = zoneName
    self.position = position
  }

  /// The text for clients. `query` identifies the query.
  func text(of query: [UInt8]) -> String {
    let values = position.values.map { value -> JSON in
      switch value {
      case .integer(let number): .integer(number)
      case .number(let number): .number(number)
      case .text(let text): .string(text.text)
      case nil: .null
      }
    }
    let json: JSON = [
      "zone": .string(zoneName.text), "name": .string(position.recordName?.text ?? ""), "values": .array(values),
    ]
    let content = json.bytes()
    return Base64.encode(Fingerprint.of(query + content) + content)
  }

  /// Reads a text that a client got for that query. Throws `invalidArguments` for any other text.
  init(_ text: String, of query: [UInt8]) throws(EvaluationFailure) {
    guard let bytes = Base64.decode(text), bytes.count > Self.hashLength else { throw Self.malformed }
    let content = Array(bytes[Self.hashLength...])
    guard Array(bytes[..<Self.hashLength]) == Fingerprint.of(query + content) else { throw Self.malformed }
    let json: JSON
    do { json = try JSON(parsing: content) } catch { throw Self.malformed }
    guard let zone = json["zone"]?.string, let name = json["name"]?.string, let values = json["values"]?.array else {
      throw Self.malformed
    }
    zoneName = Name(zone)
    position = RecordQuery.Position(values: values.map(Self.value), recordName: Name(name))
  }

  private static func value(_ json: JSON) -> RecordValue? {
    switch json {
    case .integer(let number): .integer(number)
    case .number(let number): .number(number)
    case .string(let text): .text(Name(text))
    case .null, .bool, .verbatim, .array, .object: nil
    }
  }

  private static var hashLength: Int { Fingerprint.of([]).count }

  private static var malformed: EvaluationFailure {
    .refused(
      .invalidArguments,
      "continuationMarker is not one of this query; send the marker of the page before with the same query, or none")
  }
}
