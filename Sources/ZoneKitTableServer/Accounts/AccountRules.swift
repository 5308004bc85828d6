import ZoneKitRecords
import ZoneKitTables

/// What e-mail addresses, passwords and metadata of accounts have to be.
package enum AccountRules {
  /// The form in which an e-mail address is compared and kept: in lower case. Nil if the text is not an e-mail address
  /// (HTML, 4.10.5.1.5, valid e-mail address).
  package static func email(_ text: String) -> String? {
    let bytes = Array(text.utf8)
    guard bytes.count <= AccountLimits.email, let at = bytes.firstIndex(of: UInt8(ascii: "@")), at > 0 else {
      return nil
    }
    let labels = bytes[(at + 1)...].split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
    guard bytes[..<at].allSatisfy({ isAtom($0) || $0 == UInt8(ascii: ".") }), labels.allSatisfy(isLabel) else {
      return nil
    }
    return text.lowercased()
  }

  /// Why a password cannot be chosen; nil if it can.
  package static func refusal(ofPassword password: String) -> AccountError? {
    AccountLimits.password.contains(password.utf8.count) ? nil : .passwordLength
  }

  /// The metadata after an edit. Throws if it becomes too large.
  static func metadata(
    _ metadata: [JSON.Member], adding members: [JSON.Member]
  ) throws(AccountError) -> [JSON.Member] {
    guard !members.isEmpty else { return metadata }
    // Of two members with one name the last counts, and null removes the member.
    var seen: Set<Name> = []
    let added = members.reversed().filter { seen.insert(Name($0.key)).inserted }.reversed()
    let result = metadata.filter { !seen.contains(Name($0.key)) } + added.filter { !$0.value.isNull }
    let size = JSON.object(result).bytes().count
    guard size <= AccountLimits.metadata else {
      throw AccountError(
        .validationFailed, "the metadata has \(size) bytes as JSON, at most \(AccountLimits.metadata) are allowed")
    }
    return result
  }

  private static func isLabel(_ label: ArraySlice<UInt8>) -> Bool {
    let hyphen = UInt8(ascii: "-")
    return (1...63).contains(label.count) && label.first != hyphen && label.last != hyphen
      && label.allSatisfy { isLetterOrDigit($0) || $0 == hyphen }
  }

  private static func isAtom(_ byte: UInt8) -> Bool {
    isLetterOrDigit(byte) || marks.contains(byte)
  }

  private static let marks = Array("!#$%&'*+/=?^_`{|}~-".utf8)

  private static func isLetterOrDigit(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "a")...UInt8(ascii: "z"),
      UInt8(ascii: "A")...UInt8(ascii: "Z"):
      true
    default: false
    }
  }
}
