extension String {
  /// The line in parts of at most that many characters, broken between words where that is possible. Further parts are
  /// indented by that many spaces; without a number, they are below the last column of the line, of which two spaces
  /// separate it from the one before.
  package func wrapped(within columns: Int, indentation: Int? = nil) -> [String] {
    let characters = Array(self)
    guard characters.count > columns, columns > 0 else { return [self] }
    let indent = min(indentation ?? Self.lastColumn(of: characters, within: columns), columns - 1)
    let margin = String(repeating: " ", count: indent)
    var parts: [String] = []
    var rest = characters[...]
    while !rest.isEmpty {
      let room = parts.isEmpty ? columns : columns - indent
      let part = Self.part(of: rest, room: room, after: parts.isEmpty ? indent : 0)
      parts.append((parts.isEmpty ? "" : margin) + String(part))
      rest = rest[part.endIndex...].drop { $0 == " " }
    }
    return parts
  }

  /// The characters that fit: up to the last space, which comes after the indentation; otherwise as many as there is room for.
  private static func part(of rest: ArraySlice<Character>, room: Int, after indent: Int) -> ArraySlice<Character> {
    guard rest.count > room else { return rest }
    let line = rest.prefix(room + 1)
    guard let space = line.lastIndex(of: " "), space > rest.startIndex + indent else { return rest.prefix(room) }
    return rest[..<space]
  }

  /// Where the last column begins, if it begins in the first half of the line; otherwise the line's own indentation and
  /// four spaces.
  private static func lastColumn(of characters: [Character], within columns: Int) -> Int {
    let own = characters.prefix { $0 == " " }.count
    let starts = characters.indices.filter { index in
      index > own + 1 && index <= columns / 2 && characters[index] != " " && characters[index - 1] == " "
        && characters[index - 2] == " "
    }
    return starts.last ?? own + 4
  }
}
