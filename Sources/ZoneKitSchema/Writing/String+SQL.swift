extension String {
  /// The name as SQL writes it: as it is where that means the same, otherwise in quotes.
  package var quotedAsName: String {
    isPlainName && !Self.keywords.contains(self) ? self : alwaysQuoted
  }

  /// The name in quotes.
  package var alwaysQuoted: String { "\"" + doubling("\"") + "\"" }

  /// The text as SQL writes it, in quotes.
  package var quotedAsText: String { "'" + doubling("'") + "'" }

  private var isPlainName: Bool {
    guard let first = utf8.first, first == UInt8(ascii: "_") || first.isLowercaseLetter else { return false }
    return utf8.allSatisfy { $0.isLowercaseLetter || $0 == UInt8(ascii: "_") || $0 &- UInt8(ascii: "0") < 10 }
  }

  private func doubling(_ quote: Character) -> String {
    var text = ""
    for character in unicodeScalars {
      if Character(character) == quote { text.append(quote) }
      text.unicodeScalars.append(character)
    }
    return text
  }

  /// The keywords that are no names without quotes, or that mean something else than a name at some places.
  private static let keywords: Set<String> = Set(
    """
    all analyse analyze and any array as asc asymmetric authorization between bigint binary bit boolean both case cast
    char character check coalesce collate collation column concurrently constraint create cross current_catalog
    current_date current_role current_schema current_time current_timestamp current_user dec decimal default deferrable
    desc distinct do else end except exists extract false fetch float for foreign freeze from full grant greatest group
    grouping having ilike in initially inner inout int integer intersect interval into is isnull join lateral leading
    least left like limit localtime localtimestamp national natural nchar none normalize not notnull null nullif numeric
    offset on only or order out outer overlaps overlay placing position precision primary real references
    returning right row select session_user setof similar smallint some substring symmetric system_user table
    tablesample then time timestamp to trailing treat trim true union unique user using values varchar variadic verbose
    when where window with xmlattributes xmlconcat xmlelement xmlexists xmlforest xmlnamespaces xmlparse xmlpi xmlroot
    xmlserialize xmltable
    """.split { $0 == " " || $0 == "\n" }.map { String($0) })
}

extension UInt8 {
  fileprivate var isLowercaseLetter: Bool { self &- UInt8(ascii: "a") < 26 }
}

extension [String] {
  /// The names with commas between them.
  var list: String { map(\.quotedAsName).joined(separator: ", ") }
  /// The parts that are not empty, with a blank between them.
  var sentence: String { filter { !$0.isEmpty }.joined(separator: " ") }
}

extension [SQLName] {
  /// The names with commas between them.
  var list: String { map(\.sql).joined(separator: ", ") }
}
