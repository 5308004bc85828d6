import ZoneKitDeviceHost

/// An amount of money as a user types it: digits with at most two decimals.
enum MoneyWord {
  /// Reads an amount.
  static func cents(_ text: String, isZeroAllowed: Bool = false) throws(AppRefusal) -> Cents {
    guard let cents = read(text), cents <= .largest, cents.count > 0 || isZeroAllowed else {
      throw AppRefusal(range(text, isZeroAllowed: isZeroAllowed))
    }
    return cents
  }

  /// Whether a user can write that amount: it is in the range and has at most two decimals.
  static func isWritable(_ amount: Double) -> Bool {
    (0...Cents.largest.amount).contains(amount) && Cents(nearest: amount).amount == amount
  }

  /// The sentence that refuses an amount.
  static func range(_ text: String, isZeroAllowed: Bool) -> String {
    let least = isZeroAllowed ? "0.00" : "0.01"
    return "\"\(text)\" is not an amount; expected \(least) to \(Cents.largest.text), with at most 2 decimals"
  }

  private static func read(_ text: String) -> Cents? {
    let parts = text.utf8.split(separator: UInt8(ascii: "."), maxSplits: 1, omittingEmptySubsequences: false)
    guard let whole = parts.first, (1...10).contains(whole.count), whole.allSatisfy(isDigit) else { return nil }
    let decimals = parts.count == 2 ? Array(parts[1]) : [UInt8(ascii: "0")]
    guard (1...2).contains(decimals.count), decimals.allSatisfy(isDigit) else { return nil }
    let digits = Array(whole) + decimals + (decimals.count == 1 ? [UInt8(ascii: "0")] : [])
    return Cents(digits.reduce(0) { $0 * 10 + Int64($1 - UInt8(ascii: "0")) })
  }

  private static func isDigit(_ byte: UInt8) -> Bool { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) }
}
