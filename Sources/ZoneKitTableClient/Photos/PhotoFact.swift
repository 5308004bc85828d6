import ZoneKitRecords

/// Something worth recording about photos.
package enum PhotoFact: Hashable, Sendable {
  /// The photo of a record was uploaded to that path.
  case uploaded(RecordID, path: String)
  /// The photo at that path was downloaded.
  case downloaded(path: String)
  /// The service refused the photo of a record. It waits until the user asks again.
  case setAside(RecordID, reason: String)
  /// The photo at that path cannot be had. It is left out until the user asks again or the app is launched again.
  case missing(path: String, reason: String)
  /// A transfer failed. The next one starts after that pause, in milliseconds.
  case failed(path: String, reason: String, retryIn: Int64)

  /// The name of the kind.
  package var kind: String {
    switch self {
    case .uploaded: "uploaded"
    case .downloaded: "downloaded"
    case .setAside: "setAside"
    case .missing: "missing"
    case .failed: "failed"
    }
  }

  /// The object's path, or the record whose photo it is.
  package var place: String {
    switch self {
    case .uploaded(let record, _), .setAside(let record, _): record.recordName.text
    case .downloaded(let path), .missing(let path, _), .failed(let path, _, _): path
    }
  }

  /// Why it happened; nil if nothing is wrong.
  package var reason: String? {
    switch self {
    case .uploaded, .downloaded: nil
    case .setAside(_, let reason), .missing(_, let reason), .failed(_, let reason, _): reason
    }
  }

  /// The fact as a line for users.
  package var text: String {
    switch self {
    case .uploaded(let record, let path): "photo of \(record.recordName) uploaded: \(path)"
    case .downloaded(let path): "photo downloaded: \(path)"
    case .setAside(let record, let reason): "photo of \(record.recordName) set aside: \(reason)"
    case .missing(let path, let reason): "photo left out: \(path): \(reason)"
    case .failed(let path, let reason, let pause): "photo not transferred: \(path): \(reason); again in \(pause) ms"
    }
  }
}
