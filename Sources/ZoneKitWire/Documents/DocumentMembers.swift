import ZoneKitDocuments
import ZoneKitRecords

/// The members of a JSON object in a request for documents, with errors that name the path. Other members are ignored.
/// A member that is null is not absent; only some members may be null.
struct DocumentMembers {
  private let object: JSON
  private let path: String

  /// The members of the object at that path, which is empty for the body itself.
  init(_ json: JSON, at path: String = "") throws(DocumentError) {
    guard json.object != nil else {
      throw path.isEmpty
        ? DocumentError(.malformed, "the body must be a JSON object, and is \(json.kind)")
        : .malformed(path, "must be an object, and is \(json.kind)")
    }
    object = json
    self.path = path
  }

  /// The value of that key; nil if it is absent.
  func value(_ key: String) -> JSON? { object[key] }

  /// The path of that key.
  func place(_ key: String) -> String { path.isEmpty ? key : "\(path).\(key)" }

  /// The error for a member with a wrong value.
  func wrong(_ key: String, _ expectation: String) -> DocumentError {
    .malformed(place(key), "must be \(expectation)")
  }

  /// What `read` makes of the value of that key; nil if it is absent. A value of which it makes nothing is wrong.
  func optional<Value>(
    _ key: String, _ expectation: String, _ read: (JSON) -> Value?
  ) throws(DocumentError) -> Value? {
    guard let json = object[key] else { return nil }
    guard let value = read(json) else { throw wrong(key, expectation) }
    return value
  }

  /// What `read` makes of the value of that key, which has to be there.
  func required<Value>(
    _ key: String, _ expectation: String, _ read: (JSON) -> Value?
  ) throws(DocumentError) -> Value {
    guard let value = object[key].flatMap(read) else { throw wrong(key, expectation) }
    return value
  }

  /// The ID of that key.
  func id(_ key: String) throws(DocumentError) -> String {
    try required(key, "a text of 1 to 64 of the characters A-Z, a-z, 0-9, - and _", DocumentCall.id)
  }

  /// The document whose collection and ID are members.
  func documentName() throws(DocumentError) -> DocumentName {
    DocumentName(Name(try id("collection")), try id("documentId"))
  }

  /// The array of that key, whose elements are at the returned paths; nil if it is absent.
  func array(_ key: String) throws(DocumentError) -> [(json: JSON, path: String)]? {
    let array = try optional(key, "an array", \.array)
    return array?.enumerated().map { ($0.element, "\(place(key))[\($0.offset)]") }
  }
}
