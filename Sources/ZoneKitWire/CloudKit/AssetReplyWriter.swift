import ZoneKitRecords

/// Writes replies to requests for the bytes of assets.
package enum AssetReplyWriter {
  /// The reply to an upload: the dictionary that the client sends with the record (CloudKit Web Services, b.5). The bytes are
  /// not encrypted, so the key and the checksum of the key's bytes are for the form only.
  package static func uploaded(_ asset: Asset) -> HTTPReply {
    HTTPReply(status: 200, body: (["singleFile": receipt(asset)] as JSON).bytes())
  }

  /// The dictionary of an asset with its receipt.
  static func receipt(_ asset: Asset) -> JSON {
    [
      "wrappingKey": .string(Base64.encode(Array(asset.fileChecksum.utf8.prefix(16)))),
      "fileChecksum": .string(asset.fileChecksum), "receipt": .string(asset.receipt ?? ""),
      "referenceChecksum": .string(asset.fileChecksum), "size": .integer(asset.size),
    ]
  }

  /// The reply with an error in CloudKit's form. `status` is another status than that of the error's code; nil for that one.
  package static func failure(_ error: CloudError, status: Int? = nil, uuid: String) -> HTTPReply {
    var reply = HTTPReply(CloudKitResponse(error, uuid: uuid))
    if let status { reply.status = status }
    return reply
  }

  /// The reply to a request that is none for assets.
  package static func failure(_ failure: RequestFailure, uuid: String) -> HTTPReply {
    HTTPReply(CloudKitResponse(failure, uuid: uuid))
  }
}

/// The answer to a request for the bytes of an asset (RFC 9110, 14).
package struct AssetDownload: Equatable, Sendable {
  /// The answer without the bytes.
  package let head: HTTPReply
  /// The bytes to send; nil if the head is the whole answer.
  package let range: Range<Int>?

  /// The answer to a request for an asset of that checksum with so many bytes. `uuid` is the ID of an error.
  package init(of checksum: String, size: Int, to request: HTTPRequest, uuid: String) {
    let tag = "\"\(checksum)\""
    var fields = [
      HTTPField("ETag", tag), HTTPField("Accept-Ranges", "bytes"),
      HTTPField("Cache-Control", "private, max-age=31536000, immutable"),
      HTTPField("X-Content-Type-Options", "nosniff"),
    ]
    let type = "application/octet-stream"
    if let tags = request.fields["If-None-Match"], tags == "*" || tags.contains(tag) {
      head = HTTPReply(status: 304, fields: fields, contentType: type)
      range = nil
      return
    }
    let isAsked = request.fields["If-Range"].map { $0 == tag } ?? true
    switch isAsked ? request.fields["Range"].flatMap({ HTTPByteRange($0, of: size) }) : nil {
    case .part(let part)?:
      fields.append(HTTPField("Content-Range", "bytes \(part.lowerBound)-\(part.upperBound - 1)/\(size)"))
      (head, range) = (HTTPReply(status: 206, fields: fields, contentType: type), part)
    case .beyondEnd?:
      var reply = AssetReplyWriter.failure(
        CloudError(.invalidArguments, "the range begins after the last of \(size) bytes"), status: 416, uuid: uuid)
      reply.fields.append(HTTPField("Content-Range", "bytes */\(size)"))
      (head, range) = (reply, nil)
    case nil: (head, range) = (HTTPReply(status: 200, fields: fields, contentType: type), 0..<size)
    }
  }
}
