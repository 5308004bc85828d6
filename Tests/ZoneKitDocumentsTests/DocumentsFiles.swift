import ZoneKitDocuments

/// A file with one collection, `books`, whose documents have those members.
func documentsFile(
  _ properties: String = ##""name": {"type": "string"}"##, required: String = "", collection: String = "",
  definitions: String = "", root: String = ""
) -> String {
  """
  {"title": "reading-list", "type": "object", \(root)"properties": {"books": {"type": "array", \(collection)"items": {"$ref": "#/$defs/Book"}}},
  "$defs": {\(definitions)"Book": {"type": "object", "required": [\(required)], "properties": {
  \(properties)}}}}
  """
}

/// What is wrong with a file, as lines of places and messages.
func problems(_ text: String) -> [String] {
  do throws(DocumentSchemaProblems) {
    _ = try DocumentSchemaReader.app(Array(text.utf8), file: "f")
    return []
  } catch {
    return error.list.map(\.description)
  }
}

func readDocuments(_ text: String) throws -> DocumentApp {
  try DocumentSchemaReader.app(Array(text.utf8), file: "f")
}

/// A file with sums by day.
enum Summed {
  static func file(
    of: String = "books", by: String = "day", documents: String = "books", items: String = "sessions",
    totals: String = "pages", second: String = ""
  ) -> String {
    """
    {"title": "r", "type": "object", "properties": {\(second)
    "books": {"type": "array", "items": {"$ref": "#/$defs/Book"}},
    "days": {"type": "array",
    "x-zonekit-summary": {"of": "\(of)", "by": "\(by)",
    "documents": "\(documents)", "items": "\(items)"}}},
    "$defs": {"Book": {"type": "object", "required": ["sessions"], "properties": {"day": {"type": "string", "format": "date"},
    "name": {"type": "string"}, "sessions": {"type": "array", "items": {"type": "object",
    "x-zonekit-totals": ["\(totals)"],
    "properties": {"pages": {"type": "integer", "minimum": 0}, "delta": {"type": "integer"},
    "items": {"type": "integer", "minimum": 0}, "day": {"type": "string"}}}}}}}}
    """
  }
}
