import ZoneKitRecords
import ZoneKitTables

/// A request for objects as it came over HTTP (Tables over the wire, 7).
package enum ObjectCall: Equatable, Sendable {
  /// Adds or replaces an object.
  case upload(bucket: String, path: String, ObjectUpload, replaces: Bool)
  /// Reads an object with its bytes, or without them for `HEAD`.
  case download(bucket: String, path: String)
  /// Reads an object of a public bucket, which needs no key.
  case publicDownload(bucket: String, path: String)
  /// Reads what is known of an object.
  case describe(bucket: String, path: String)
  /// Removes objects.
  case remove(bucket: String, paths: [String])
  /// Lists objects.
  case list(bucket: String, ObjectListing)
  /// Makes a link to one object that is valid for that many seconds.
  case link(bucket: String, path: String, seconds: Int64)
  /// Makes links to several objects.
  case links(bucket: String, paths: [String], seconds: Int64)
  /// Reads an object by a link.
  case follow(bucket: String, path: String, token: String)
  /// A request that this version does not serve.
  case unserved

  /// The longest time that a link is valid, in seconds: ten years.
  private static let longestLink: Int64 = 3_653 * 86_400

  /// Reads a request whose path begins with `/storage/v1/`.
  package init(_ request: HTTPRequest) throws(ObjectError) {
    let segments: [String]
    do {
      segments = try request.pathSegments()
    } catch {
      throw .path(request.path)
    }
    let words = Array(segments.dropFirst(2))
    guard segments.first == "storage", segments.dropFirst().first == "v1", words.first == "object", words.count > 1
    else {
      self = .unserved
      return
    }
    switch (request.method, words[1]) {
    case ("POST", "list") where words.count == 3: self = .list(bucket: words[2], try Self.listing(request.body))
    case ("POST", "sign") where words.count > 2: self = try Self.link(words, request.body)
    case ("GET", "sign") where words.count > 3, ("HEAD", "sign") where words.count > 3:
      guard let token = try? request.queryItems()["token"] else { throw .invalidToken }
      self = .follow(bucket: words[2], path: Self.path(words, from: 3), token: token)
    case ("GET", "info") where words.count > 3: self = .describe(bucket: words[2], path: Self.path(words, from: 3))
    case ("GET", "authenticated") where words.count > 3, ("HEAD", "authenticated") where words.count > 3:
      self = .download(bucket: words[2], path: Self.path(words, from: 3))
    case (_, "list"), (_, "sign"), (_, "info"), (_, "upload"), (_, "move"), (_, "copy"), (_, "list-v2"):
      self = .unserved
    case ("GET", "public") where words.count > 3, ("HEAD", "public") where words.count > 3:
      self = .publicDownload(bucket: words[2], path: Self.path(words, from: 3))
    case (_, "public"): throw .noBucket
    case ("GET", _), ("HEAD", _): self = .download(bucket: words[1], path: Self.path(words, from: 2))
    case ("POST", _), ("PUT", _):
      let replaces = request.method == "PUT" || request.fields["x-upsert"]?.lowercased() == "true"
      self = .upload(bucket: words[1], path: Self.path(words, from: 2), try ObjectUpload(request), replaces: replaces)
    case ("DELETE", _): self = try Self.removal(words, request.body)
    default: self = .unserved
    }
  }

  /// Whether a request reads an object by a link or in a public bucket, which needs no key.
  package static func needsNoKey(_ request: HTTPRequest) -> Bool {
    let isReading = request.method == "GET" || request.method == "HEAD"
    return isReading && ["sign", "public"].contains { request.path.hasPrefix("/storage/v1/object/\($0)/") }
  }

  private static func path(_ words: [String], from index: Int) -> String {
    words.dropFirst(index).joined(separator: "/")
  }

  // MARK: Bodies

  private static func object(_ body: [UInt8]) throws(ObjectError) -> JSON {
    guard let json = try? JSON(parsing: body), json.object != nil else {
      throw ObjectError(.request, "the body must be a JSON object")
    }
    return json
  }

  private static func paths(_ json: JSON, _ key: String) throws(ObjectError) -> [String] {
    let paths = json[key]?.array?.compactMap(\.string)
    guard let paths, paths.count == json[key]?.array?.count else {
      throw ObjectError(.request, "\(key) must be an array of paths")
    }
    return paths
  }

  private static func removal(_ words: [String], _ body: [UInt8]) throws(ObjectError) -> ObjectCall {
    guard words.count == 2 else { return .remove(bucket: words[1], paths: [path(words, from: 2)]) }
    return .remove(bucket: words[1], paths: try paths(try object(body), "prefixes"))
  }

  private static func link(_ words: [String], _ body: [UInt8]) throws(ObjectError) -> ObjectCall {
    let json = try object(body)
    let stated = json["expiresIn"]
    guard let seconds = stated?.integer ?? stated?.string.flatMap({ Int64($0) }), (1...longestLink).contains(seconds)
    else { throw ObjectError(.request, "expiresIn must be a number of seconds from 1 to \(longestLink)") }
    guard words.count > 3 else {
      return .links(bucket: words[2], paths: try paths(json, "paths"), seconds: seconds)
    }
    return .link(bucket: words[2], path: path(words, from: 3), seconds: seconds)
  }

  private static func listing(_ body: [UInt8]) throws(ObjectError) -> ObjectListing {
    let json = try object(body)
    func number(_ key: String, _ usual: Int) throws(ObjectError) -> Int {
      guard let value = json[key], !value.isNull else { return usual }
      guard let number = value.integer, (0...Int64(Int32.max)).contains(number) else {
        throw ObjectError(.request, "\(key) must be a whole number from 0")
      }
      return Int(number)
    }
    var listing = ObjectListing(
      folder: ObjectPath.segments(of: json["prefix"]?.string ?? "").filter { !$0.isEmpty }.joined(separator: "/"),
      limit: try number("limit", 100), offset: try number("offset", 0), search: json["search"]?.string ?? "")
    if let column = json["sortBy"]?["column"]?.string {
      guard let known = ObjectListing.Column(rawValue: column) else {
        let columns = ObjectListing.Column.allCases.map(\.rawValue).joined(separator: ", ")
        throw ObjectError(.request, "sortBy.column must be one of \(columns)")
      }
      listing.column = known
    }
    listing.isDescending = json["sortBy"]?["order"]?.string == "desc"
    return listing
  }
}
