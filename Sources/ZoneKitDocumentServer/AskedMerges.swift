import ZoneKitDocuments
import ZoneKitRecords

/// The versions with which clients were asked to merge lately. A client is asked once for each version: what it sends after
/// that is merged by the server, so that every exchange ends, whatever the client makes of the question. The same content on the
/// same base is a repeat of a push whose answer was lost, and is answered alike, up to a number of times.
struct AskedMerges: Sendable {
  /// A device that was asked to merge with a version.
  struct Request: Hashable, Sendable {
    /// The version, which belongs to one account.
    let tag: DocumentTag
    /// The device.
    let deviceID: String
  }

  /// The most bytes of a generation, of which there are two.
  private static let limit = 1 << 20

  /// How often the same content is answered alike.
  private static let repeats = 8

  /// What was asked about.
  private struct Asked {
    let content: UInt128
    var count: Int
  }

  private var cache = BoundedCache<Request, Asked>(limit: limit)

  /// A device that is asked about that content.
  struct Question: Hashable, Sendable {
    /// The device, and the version with which it is asked to merge.
    let request: Request
    /// The hash of the content that it sent, and of its base.
    let content: UInt128

    /// The question about that content, which rests on `base`.
    init(_ request: Request, about content: EncodedFields, on base: DocumentChange.Base) {
      self.request = request
      let text =
        switch base {
        case .none: ""
        case .tag(let tag): tag.text
        case .version(let number): "\(number)"
        }
      self.content = FNV1a.hash(content.utf8 + Array(text.utf8))
    }
  }

  /// Whether the device is asked. If not, it was asked before.
  func asks(_ question: Question) -> Bool {
    cache[question.request].map { $0.content == question.content && $0.count < Self.repeats } ?? true
  }

  /// Notes that devices are asked.
  mutating func note(_ questions: [Question]) {
    for question in questions {
      var asked = cache[question.request] ?? Asked(content: question.content, count: 0)
      asked.count += 1
      cache.keep(asked, for: question.request, size: 96 + question.request.deviceID.utf8.count)
    }
  }
}
