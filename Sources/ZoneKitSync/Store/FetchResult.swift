import ZoneKitRecords

/// How the last fetch ended.
enum FetchResult: Hashable, Sendable {
  case ok
  case failed(CloudErrorCode, reason: String)

  /// The result that a store keeps as that text; nil where it is none.
  init?(text: String) {
    if text == Self.ok.text {
      self = .ok
      return
    }
    let code = text.prefix { $0.isLetter }
    guard let known = CloudErrorCode(rawValue: String(code)) else { return nil }
    self = .failed(known, reason: String(text.dropFirst(code.count + Self.separator.count)))
  }

  /// The text that a store keeps, and that people read: `ok`, or an error's code and its sentence.
  var text: String {
    switch self {
    case .ok: "ok"
    case .failed(let code, let reason): code.rawValue + Self.separator + reason
    }
  }

  private static let separator = ": "
}
