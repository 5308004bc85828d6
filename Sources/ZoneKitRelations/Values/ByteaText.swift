import ZoneKitRecords

/// Bytes as PostgreSQL reads and writes them: `\x` with hexadecimal digits, or characters with `\\` and `\ooo`.
enum ByteaText {
  static func text(_ bytes: [UInt8]) -> String { "\\x" + Hexadecimal.text(bytes) }

  static func bytes(_ text: String) throws(SQLFailure) -> [UInt8] {
    let characters = Array(text.utf8)
    guard characters.starts(with: "\\x".utf8) else { return try escaped(characters) }
    var bytes: [UInt8] = []
    var pending: UInt8?
    for character in characters.dropFirst(2) where !(pending == nil && character.isSpace) {
      guard let digit = Hexadecimal.value(of: character) else {
        let written = String(decoding: [character], as: UTF8.self)
        throw SQLFailure(.invalidParameter, "invalid hexadecimal digit: \"\(written)\"")
      }
      if let high = pending.take() { bytes.append(high << 4 | digit) } else { pending = digit }
    }
    guard pending == nil else {
      throw SQLFailure(.invalidParameter, "invalid hexadecimal data: odd number of digits")
    }
    return bytes
  }

  private static func escaped(_ characters: [UInt8]) throws(SQLFailure) -> [UInt8] {
    let backslash = UInt8(ascii: "\\")
    var bytes: [UInt8] = []
    var place = 0
    while place < characters.count {
      guard characters[place] == backslash else {
        bytes.append(characters[place])
        place += 1
        continue
      }
      let digits = characters[(place + 1)...].prefix(3)
      if digits.first == backslash {
        bytes.append(backslash)
        place += 2
      } else if digits.count == 3, digits.allSatisfy({ (UInt8(ascii: "0")...UInt8(ascii: "7")).contains($0) }),
        digits.first.map({ $0 <= UInt8(ascii: "3") }) == true
      {
        bytes.append(digits.reduce(0) { $0 << 3 | ($1 - UInt8(ascii: "0")) })
        place += 4
      } else {
        throw SQLFailure(.invalidText, "invalid input syntax for type bytea")
      }
    }
    return bytes
  }
}
