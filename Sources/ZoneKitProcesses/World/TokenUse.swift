import ZoneKitRecords

/// The account of each change token that the cloud returned, and the uses of tokens under another account.
struct TokenUse {
  private var owners: [String: String] = [:]
  private var misuses: [String: Set<String>] = [:]

  /// Whether a device used a token of that account while another account was signed in.
  func hasUsed(_ device: String, tokenOf account: String) -> Bool { misuses[device]?.contains(account) ?? false }

  /// The body of a request by a device in an account's name arrived.
  mutating func asked(_ body: [UInt8], by device: String, as account: String) {
    for token in Self.tokens(in: body) {
      guard let owner = owners[token], owner != account else { continue }
      misuses[device, default: []].insert(owner)
    }
  }

  /// The body of an answer to an account arrived.
  mutating func answered(_ body: [UInt8], to account: String) {
    for token in Self.tokens(in: body) { owners[token] = account }
  }

  /// All change tokens in a message, at any depth; none if the message is not JSON.
  private static func tokens(in body: [UInt8]) -> [String] {
    guard let document = try? JSON(parsing: body) else { return [] }
    return tokens(in: document)
  }

  private static func tokens(in json: JSON) -> [String] {
    if let items = json.array { return items.flatMap(tokens(in:)) }
    return (json.object ?? []).flatMap { member in
      member.key == "syncToken" ? [member.value.string].compactMap { $0 } : tokens(in: member.value)
    }
  }
}
