import ZoneKitRecords

/// Reads each kind of slot. Returns the value and the position after it; nil if the words do not fit.
extension SentenceReader {
  func value(of slot: Slot, at position: Int, subject: SlotValues) -> (SlotValue, Int)? {
    switch slot {
    case .devices: return choice(at: position)
    case .device:
      // A server's device may have a name that needs quotes.
      guard words.indices.contains(position), devices.contains(words[position].text) else { return nil }
      return (.name(words[position].text), position + 1)
    case .owner: return one(position) { owner($0).map(SlotValue.name) }
    case .newDevice: return one(position) { Self.isDeviceName($0) && !devices.contains($0) ? .name($0) : nil }
    case .record: return record(at: position, subject: subject.optionalName("device"))
    case .place:
      if plain(position) == "the", plain(position + 1) == "cloud" { return (.place(.cloud), position + 2) }
      return one(position) { devices.contains($0) ? .place(.device($0)) : nil }
    case .holder: return holder(at: position)
    case .seed: return one(position) { Self.seed($0).map(SlotValue.seed) }
    case .number: return one(position) { Self.number($0).flatMap { $0 > 0 ? .number($0) : nil } }
    case .quantity: return quantity(at: position).map { (.quantity($0), $1) }
    case .ordinal: return one(position) { Ordinal.number($0).map(SlotValue.number) }
    case .span: return one(position) { TimeSpan($0).map(SlotValue.span) }
    case .percent: return one(position) { Self.percent($0).map(SlotValue.number) }
    case .name: return words.indices.contains(position) ? (.name(words[position].text), position + 1) : nil
    case .names: return names(at: position)
    case .quote:
      guard words.indices.contains(position), words[position].isQuoted else { return nil }
      return (.name(words[position].text), position + 1)
    case .value: return words.indices.contains(position) ? (.value(ScenarioValue(words[position])), position + 1) : nil
    case .fields: return fields(at: position)
    case .rest:
      return position < words.count ? (.name(ScenarioWord.joined(words[position...])), words.count) : nil
    case .operation:
      let one = phrase(at: position, among: CloudOperation.allCases)
      let many = phrase(at: position, among: CloudOperation.allCases, by: \.plural)
      return [one, many].compactMap { $0 }.max { $0.1 < $1.1 }.map { (.operation($0), $1) }
    case .error: return one(position) { CloudErrorCode(rawValue: $0).map(SlotValue.error) }
    case .counters: return counters(at: position)
    case .fact:
      return one(position) { word in
        Fact.Kind.all(of: .device).first { $0.rawValue == word }.map(SlotValue.fact)
      }
    case .time: return one(position) { WallTime(iso8601: $0).map(SlotValue.time) }
    case .zone: return one(position) { TimeZoneRules.isName($0) ? .name($0) : nil }
    }
  }

  private func one(_ position: Int, _ read: (String) -> SlotValue?) -> (SlotValue, Int)? {
    plain(position).flatMap(read).map { ($0, position + 1) }
  }

  private func owner(_ word: String) -> String? {
    guard word.hasSuffix("'s") else { return nil }
    let name = String(word.dropLast(2))
    return devices.contains(name) ? name : nil
  }

  /// Whether the word is a device name: an uppercase letter, then letters, digits, `-` and `_`, at most 32 characters.
  static func isDeviceName(_ word: String) -> Bool {
    guard let first = word.utf8.first, (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains(first),
      word.utf8.count <= 32, !word.hasSuffix("'s")
    else { return false }
    return ScenarioWord.named(word) == word && !word.contains(".")
  }

  /// An integer from 0 with at most nine digits.
  static func number(_ word: String) -> Int? {
    guard (1...9).contains(word.utf8.count), let number = Int(word), number >= 0, word.utf8.first != UInt8(ascii: "+")
    else { return nil }
    return number
  }

  private static func seed(_ word: String) -> UInt64? {
    word.utf8.first == UInt8(ascii: "+") ? nil : UInt64(word)
  }

  private static func percent(_ word: String) -> Int? {
    guard word.hasSuffix("%"), let number = number(String(word.dropLast())), number <= 100 else { return nil }
    return number
  }

  private func holder(at position: Int) -> (SlotValue, Int)? {
    if plain(position) == "account", words.indices.contains(position + 1) {
      return (.holder(.account(words[position + 1].text)), position + 2)
    }
    return one(position) { devices.contains($0) ? .holder(.device($0)) : nil }
  }

  private func choice(at position: Int) -> (SlotValue, Int)? {
    if plain(position) == "every", plain(position + 1) == "device" { return (.devices(.every), position + 2) }
    guard let first = plain(position), devices.contains(first) else { return nil }
    var names = [first]
    var next = position + 1
    while let mark = plain(next), mark == "," || mark == "and", let name = plain(next + 1), devices.contains(name) {
      names.append(name)
      next += 2
    }
    return (.devices(.named(names)), next)
  }

  private func record(at position: Int, subject: String?) -> (SlotValue, Int)? {
    guard let first = plain(position) else { return nil }
    if first == "record" {
      guard words.indices.contains(position + 1) else { return nil }
      return (.record(.named(words[position + 1].text)), position + 2)
    }
    guard let owner = first == "its" ? subject : owner(first), let which = plain(position + 1),
      let kind = plain(position + 2), kind.utf8.allSatisfy({ (UInt8(ascii: "a")...UInt8(ascii: "z")).contains($0) })
    else { return nil }
    if which == "last" { return (.record(.last(of: owner, kind: kind)), position + 3) }
    return Ordinal.number(which).map { (.record(.nth($0, of: owner, kind: kind)), position + 3) }
  }

  private func quantity(at position: Int) -> (Quantity, Int)? {
    if plain(position) == "at", let bound = plain(position + 1), let number = plain(position + 2).flatMap(Self.number) {
      switch bound {
      case "most": return (.atMost(number), position + 3)
      case "least": return (.atLeast(number), position + 3)
      default: return nil
      }
    }
    return plain(position).flatMap(Self.number).map { (.exactly($0), position + 1) }
  }

  private func names(at position: Int) -> (SlotValue, Int)? {
    guard words.indices.contains(position) else { return nil }
    var names = [words[position].text]
    var next = position + 1
    while plain(next) == ",", words.indices.contains(next + 1) {
      names.append(words[next + 1].text)
      next += 2
    }
    return (.names(names), next)
  }

  private func fields(at position: Int) -> (SlotValue, Int)? {
    var fields: [ScenarioField] = []
    var next = position
    while plain(next) == "field", words.indices.contains(next + 2) {
      fields.append(ScenarioField(words[next + 1].text, ScenarioValue(words[next + 2])))
      next += 3
    }
    return fields.isEmpty ? nil : (.fields(fields), next)
  }

  private func counters(at position: Int) -> (SlotValue, Int)? {
    var checks: [CounterCheck] = []
    var next = position
    while let (counter, after) = phrase(at: next, among: Counter.allCases), let (quantity, end) = quantity(at: after) {
      checks.append(CounterCheck(counter, quantity))
      next = end
      guard plain(end) == "," else { break }
      next = end + 1
    }
    guard !checks.isEmpty, plain(next - 1) != "," else { return nil }
    return (.counters(checks), next)
  }

  /// The longest phrase that starts at a position.
  private func phrase<Phrase: RawRepresentable<String>>(
    at position: Int, among all: [Phrase], by text: KeyPath<Phrase, String> = \.rawValue
  ) -> (Phrase, Int)? {
    var best: (Phrase, Int)?
    for phrase in all {
      let parts = phrase[keyPath: text].split(separator: " ")
      let end = position + parts.count
      guard end <= words.count, zip(position..<end, parts).allSatisfy({ plain($0) == String($1) }) else { continue }
      if end > best?.1 ?? position { best = (phrase, end) }
    }
    return best
  }
}
