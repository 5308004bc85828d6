import ZoneKitTables

/// The form of the rows in an answer (the field `Accept`).
struct RelationMediaType: Hashable {
  private let json: RowMediaType
  /// Whether the answer is a table of values separated by commas (RFC 4180).
  let isCSV: Bool

  /// Reads the field. Throws if none of its types is known. Without the field the answer is an array.
  init(_ accept: String?) throws(RowError) {
    let types = accept?.split(separator: ",").map { $0.split(separator: ";").first?.trimmed.lowercased() ?? "" } ?? []
    isCSV = types.first == "text/csv"
    json = try RowMediaType(isCSV ? nil : accept)
  }

  /// Whether the answer is one object and not an array.
  var isSingle: Bool { json.isSingle }
  /// Whether members without a value are left out.
  var omitsNulls: Bool { json.omitsNulls }
  /// The type of an answer of that form.
  var contentType: String { isCSV ? "text/csv; charset=utf-8" : json.contentType }
}
