import ZoneKitRecords
import ZoneKitTables

/// The bytes of an upload, with what the client says about them.
package struct ObjectUpload: Equatable, Sendable {
  /// The bytes.
  package var bytes: [UInt8]
  /// The media type, without parameters and in lower case.
  package var contentType: String
  /// The value of the field `Cache-Control` in answers.
  package var cacheControl: String
  /// The client's own data as a JSON object; nil for none.
  package var metadata: String?

  private static let usualType = "application/octet-stream"
  private static let usualCacheControl = "no-cache"

  /// Reads the body of an upload: a form whose first part with a file name is the object, or the bytes themselves.
  init(_ request: HTTPRequest) throws(ObjectError) {
    let type = request.fields["Content-Type"] ?? Self.usualType
    guard Self.plain(type) == "multipart/form-data" else {
      bytes = request.body
      contentType = Self.plain(type)
      cacheControl = request.fields["Cache-Control"] ?? Self.usualCacheControl
      metadata = try request.fields["x-metadata"].map { (text) throws(ObjectError) in
        try Self.metadata(Base64.decode(text) ?? [])
      }
      return
    }
    guard let boundary = MultipartReader.boundary(of: type),
      let parts = MultipartReader(request.body, boundary: boundary).parts
    else { throw ObjectError(.request, "the body is no form with the boundary that its Content-Type names") }
    guard let file = parts.first(where: { $0.fileName != nil }) else {
      throw ObjectError(.request, "the form has no part with a file name")
    }
    func text(_ name: String) -> [UInt8]? {
      parts.first { $0.name == name && $0.fileName == nil }.map { Array($0.body) }
    }
    bytes = Array(file.body)
    contentType = Self.plain(file.contentType ?? Self.usualType)
    cacheControl =
      text("cacheControl").map { "max-age=\(String(decoding: $0, as: UTF8.self))" } ?? Self.usualCacheControl
    metadata = try text("metadata").map(Self.metadata)
  }

  /// The media type without parameters.
  private static func plain(_ type: String) -> String {
    String(type.prefix { $0 != ";" && $0 != " " }).lowercased()
  }

  private static func metadata(_ bytes: [UInt8]) throws(ObjectError) -> String {
    guard let json = try? JSON(exactly: bytes), json.object != nil else {
      throw ObjectError(.request, "the metadata must be a JSON object")
    }
    return String(decoding: json.bytes(), as: UTF8.self)
  }
}
