/// The tokens that came to their end last, so that a hello with one can be told so. One that was registered again since may
/// be among them.
struct RetiredTokens {
  /// How many are remembered; of an older one nobody knows any more that there was one.
  static let limit = 1_000

  private var all: Set<String> = []
  /// In the order of their last end.
  private var order: [String] = []

  func contains(_ token: String) -> Bool { all.contains(token) }

  mutating func insert(_ token: String) {
    if !all.insert(token).inserted { order.removeAll { $0 == token } }
    order.append(token)
    if order.count > Self.limit { all.remove(order.removeFirst()) }
  }
}
