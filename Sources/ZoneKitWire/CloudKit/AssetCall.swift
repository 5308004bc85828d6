import ZoneKitRecords

/// A request to a URL of an asset (CloudKit Web Services, a.1 rows 22 and 24).
package enum AssetCall: Equatable, Sendable {
  /// Keep the body of the request. The token is the end of the URL.
  case upload(token: String)
  /// Send the bytes with that checksum, or the part of them for which the request asks.
  case download(checksum: String, in: DatabaseID)

  /// The first path segment of these requests.
  package static let root = AssetLinks.root
  /// The segment after it in the URLs of uploads. No container has that name: it has no environments below it.
  static let upload = "upload"

  /// Reads the method and the path.
  package init(_ request: HTTPRequest) throws(RequestFailure) {
    let segments: [String]
    do {
      segments = try request.pathSegments()
    } catch {
      throw .badRequest(error.description)
    }
    if segments.count == 3, segments[1] == Self.upload {
      guard request.method == "POST" || request.method == "PUT" else { throw .methodNotAllowed(["POST"]) }
      self = .upload(token: segments[2])
      return
    }
    guard segments.count == 6, let environment = Environment(rawValue: segments[2]),
      let scope = DatabaseScope(rawValue: segments[4]), let hash = Base64.decodeFromURL(segments[5]),
      hash.count == Asset.hashLength
    else { throw .notFound("there is no asset at \(request.path)") }
    guard request.method == "GET" || request.method == "HEAD" else { throw .methodNotAllowed(["GET", "HEAD"]) }
    let database = DatabaseID(
      container: Name(segments[1]), environment: environment, user: Name(segments[3]), scope: scope)
    self = .download(checksum: Base64.encode(hash), in: database)
  }

  /// The URL for an upload.
  static func uploadURL(root: String, token: String) -> String { "\(root)/\(AssetLinks.root)/\(upload)/\(token)" }
}
