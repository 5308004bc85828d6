import ZoneKitRecords
import ZoneKitTables

/// Writes replies to requests for objects.
package enum ObjectReplyWriter {
  /// The reply to an upload. The key is the path as the client wrote it.
  package static func stored(_ object: StoredObject, at path: String) -> HTTPReply {
    reply(["Key": .string("\(object.bucket)/\(path)"), "Id": .string(object.id.text), "id": .string(object.id.text)])
  }

  /// The reply with what is known of an object.
  package static func description(_ object: StoredObject) -> HTTPReply {
    reply([
      "id": .string(object.id.text), "name": .string(object.path), "version": .string(object.version),
      "bucket_id": .string(object.bucket), "size": .integer(Int64(object.content.size)),
      "content_type": .string(object.content.contentType), "cache_control": .string(object.content.cacheControl),
      "etag": .string(object.entityTag), "metadata": object.ownData,
      "last_modified": .string(object.updatedAt.iso8601), "created_at": .string(object.createdAt.iso8601),
    ])
  }

  /// The reply with the objects that were removed.
  package static func removed(_ objects: [StoredObject]) -> HTTPReply {
    reply(.array(objects.map { entry($0.path, $0) }))
  }

  /// The reply with a list.
  package static func list(_ entries: [ObjectListing.Entry]) -> HTTPReply {
    reply(
      .array(
        entries.map { entry in
          switch entry {
          case .object(let name, let object): return self.entry(name, object)
          case .folder(let name):
            return [
              "name": .string(name), "id": .null, "updated_at": .null, "created_at": .null, "last_accessed_at": .null,
              "metadata": .null,
            ]
          }
        }))
  }

  private static func entry(_ name: String, _ object: StoredObject) -> JSON {
    let content = object.content
    return [
      "name": .string(name), "id": .string(object.id.text), "bucket_id": .string(object.bucket),
      "version": .string(object.version), "updated_at": .string(object.updatedAt.iso8601),
      "created_at": .string(object.createdAt.iso8601), "last_accessed_at": .string(object.updatedAt.iso8601),
      "metadata": [
        "eTag": .string(object.entityTag), "size": .integer(Int64(content.size)),
        "mimetype": .string(content.contentType), "cacheControl": .string(content.cacheControl),
        "lastModified": .string(object.updatedAt.iso8601), "contentLength": .integer(Int64(content.size)),
        "httpStatusCode": 200,
      ],
    ]
  }

  // MARK: Links

  /// The reply with a link to an object.
  package static func link(to object: StoredObject, token: String) -> HTTPReply {
    reply(["signedURL": .string(url(of: object, token))])
  }

  /// The reply with links to objects, each with its path as the client wrote it; nil for one that does not exist.
  package static func links(_ links: [(path: String, object: StoredObject?)], token: (StoredObject) -> String)
    -> HTTPReply
  {
    reply(
      .array(
        links.map { link in
          [
            "error": link.object == nil ? "Either the object does not exist or you do not have access to it" : .null,
            "path": .string(link.path),
            "signedURL": link.object.map { .string(url(of: $0, token($0))) } ?? .null,
          ]
        }))
  }

  private static func url(of object: StoredObject, _ token: String) -> String {
    let path = ObjectPath.segments(of: object.path).map { HTTPPercent.encode(String($0)) }.joined(separator: "/")
    return "/object/sign/\(HTTPPercent.encode(object.bucket))/\(path)?token=\(token)"
  }

  // MARK: Bytes

  /// The reply with the bytes of an object, or the part of them for which the request asks (RFC 9110, 14).
  package static func bytes(_ bytes: [UInt8], of object: StoredObject, to request: HTTPRequest) -> HTTPReply {
    var fields = [
      HTTPField("ETag", object.entityTag), HTTPField("Last-Modified", object.updatedAt.httpDate),
      HTTPField("Cache-Control", object.content.cacheControl), HTTPField("Accept-Ranges", "bytes"),
    ]
    if let tags = request.fields["If-None-Match"], object.isNamed(in: tags) {
      return HTTPReply(status: 304, fields: fields)
    }
    switch request.fields["Range"].flatMap({ HTTPByteRange($0, of: bytes.count) }) {
    case .part(let range)?:
      fields.append(HTTPField("Content-Range", "bytes \(range.lowerBound)-\(range.upperBound - 1)/\(bytes.count)"))
      return HTTPReply(
        status: 206, fields: fields, contentType: object.content.contentType, body: Array(bytes[range]))
    case .beyondEnd?:
      var reply = failure(ObjectError(.range, "the range begins after the last byte"))
      reply.status = 416
      reply.fields.append(HTTPField("Content-Range", "bytes */\(bytes.count)"))
      return reply
    case nil: return HTTPReply(status: 200, fields: fields, contentType: object.content.contentType, body: bytes)
    }
  }

  // MARK: Errors

  /// The reply for an error. Its status is 400 for everything that is the client's doing: clients read the real one from
  /// the body.
  package static func failure(_ error: ObjectError) -> HTTPReply {
    let code = error.refusal?.status ?? error.kind.statusCode
    let status = code < 500 ? 400 : code
    // Newer clients compare `code`, which the vendor added beside `error`.
    let word = JSON.string(error.refusal?.code ?? error.kind.rawValue)
    let document: JSON = [
      "statusCode": .string("\(code)"), "error": word, "code": word, "message": .string(error.message.errorText),
    ]
    let wait = error.refusal?.retryAfter ?? (code == 503 ? 2 : nil)
    return HTTPReply(
      status: status, fields: wait.map { [HTTPField("Retry-After", "\($0)")] } ?? [], body: document.bytes())
  }

  private static func reply(_ document: JSON) -> HTTPReply { HTTPReply(status: 200, body: document.bytes()) }
}

extension StoredObject {
  /// The tag of the content (RFC 9110, 8.8.3).
  fileprivate var entityTag: String { "\"\(content.hash)\"" }

  /// A text that differs for each upload of the object.
  fileprivate var version: String { "\(updatedAt.milliseconds)" }

  /// The client's own data.
  fileprivate var ownData: JSON { content.metadata.flatMap { try? JSON(exactly: $0) } ?? [:] }

  /// Whether a list of tags, as in `If-None-Match`, names the content (RFC 9110, 13.1.2).
  fileprivate func isNamed(in tags: String) -> Bool {
    tags.split(separator: ",").contains { tag in
      let trimmed = tag.drop { $0 == " " }.prefix { $0 != " " }
      return trimmed == "*" || trimmed == entityTag || trimmed == "W/" + entityTag
    }
  }
}
