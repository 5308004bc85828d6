/// The tokens that became invalid last, so that a hello with one of them gets the right reason. A token that was
/// registered again may still be among them.
struct RetiredTokens {
  /// The most tokens that are remembered.
  static let limit = 1_000

  private var all: Set<String> = []
  /// In the order in which they last became invalid.
  private var order: [String] = []

  func contains(_ token: String) -> Bool { all.contains(token) }

  mutating func insert(_ token: String) {
    if !all.insert(token).inserted { order.removeAll { $0 == token } }
    order.append(token)
    if order.count > Self.limit { all.remove(order.removeFirst()) }
  }
}
