import ZoneKitRecords

/// The result of the last fetch.
enum FetchResult: Hashable, Sendable {
  case ok
  case failed(CloudErrorCode, reason: String)

  /// The result for a stored text; nil if the text is none.
  init?(text: String) {
    if text == Self.ok.text {
      self = .ok
      return
    }
    let code = text.prefix { $0.isLetter }
    guard let known = CloudErrorCode(rawValue: String(code)) else { return nil }
    self = .failed(known, reason: String(text.dropFirst(code.count + Self.separator.count)))
  }

  /// The stored text: `ok`, or an error's code and its sentence.
  var text: String {
    switch self {
    case .ok: "ok"
    case .failed(let code, let reason): code.rawValue + Self.separator + reason
    }
  }

  private static let separator = ": "
}
