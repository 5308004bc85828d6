import ZoneKitTables

/// The form of the rows in an answer (the field `Accept`).
struct RowMediaType: Hashable {
  /// Whether the answer is one object and not an array.
  var isSingle = false
  /// Whether members without a value are left out.
  var omitsNulls = false

  /// Reads the field. Throws if none of its types is known. Without the field the answer is an array.
  init(_ accept: String?) throws(RowError) {
    guard let accept, !accept.split(separator: ",").isEmpty else { return }
    for type in accept.split(separator: ",") {
      let parts = type.split(separator: ";").map { $0.trimmed.lowercased() }
      switch parts.first {
      case "*/*", "application/*", "application/json": return
      case "application/vnd.pgrst.object+json", "application/vnd.pgrst.object": isSingle = true
      case "application/vnd.pgrst.array+json", "application/vnd.pgrst.array": break
      default: continue
      }
      omitsNulls = parts.contains("nulls=stripped")
      return
    }
    throw RowError(.unknownMediaType, "None of these media types are available: \(accept)")
  }

  /// The type of an answer of that form.
  var contentType: String {
    guard isSingle || omitsNulls else { return "application/json; charset=utf-8" }
    let form = isSingle ? "object" : "array"
    return "application/vnd.pgrst.\(form)+json\(omitsNulls ? ";nulls=stripped" : ""); charset=utf-8"
  }
}
