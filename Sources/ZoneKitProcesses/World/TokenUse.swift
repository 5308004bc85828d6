import ZoneKitRecords

/// Which change tokens the cloud handed out to which account, and who asked with whose.
struct TokenUse {
  private var owners: [String: String] = [:]
  private var misuses: [String: Set<String>] = [:]

  /// Whether a device asked with a token of that account while another one was signed in.
  func hasUsed(_ device: String, tokenOf account: String) -> Bool { misuses[device]?.contains(account) ?? false }

  /// A device asks the cloud in an account's name.
  mutating func asked(_ body: [UInt8], by device: String, as account: String) {
    for token in Self.tokens(in: body) {
      guard let owner = owners[token], owner != account else { continue }
      misuses[device, default: []].insert(owner)
    }
  }

  /// The cloud answers an account.
  mutating func answered(_ body: [UInt8], to account: String) {
    for token in Self.tokens(in: body) { owners[token] = account }
  }

  /// Every token in a message, wherever it stands; none in what is no JSON.
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
