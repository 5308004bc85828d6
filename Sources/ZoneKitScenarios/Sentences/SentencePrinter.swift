/// Writes the line of a pattern with the values of its slots. A verb or noun with two forms agrees with the devices or the
/// number before it. An optional part is written if one of its slots has a value.
private struct SentencePrinter {
  /// The line so far.
  var text = ""
  /// The values in the line, as a reader of it gets them.
  var shown = SlotValues()
  private let given: SlotValues
  private var isSeveral = false

  init(_ given: SlotValues) { self.given = given }

  /// Adds the parts. Returns whether there is a value for each slot.
  mutating func add(_ parts: [SentencePattern.Part]) -> Bool {
    parts.allSatisfy { add($0) }
  }

  private mutating func add(_ part: SentencePattern.Part) -> Bool {
    switch part {
    case .words(let words): add(isSeveral ? words[words.count - 1] : words[0])
    case .option(let inner):
      if has(inner) { return add(inner) }
    case .choice(let label, let words):
      guard let word = word(of: given[label], among: words) else { return false }
      add(word)
      shown.set(label, .name(word))
    case .slot(let label, let slot):
      guard let value = given[label], let words = slot.text(of: value, isSeveral: isSeveral) else { return false }
      add(words)
      if case .quoted(let name) = value { shown.set(label, .name(name)) } else { shown.set(label, value) }
      isSeveral = slot.isSeveral(value) ?? isSeveral
    }
    return true
  }

  private mutating func add(_ words: String) {
    if !text.isEmpty, words != "," { text += " " }
    text += words
  }

  private func has(_ parts: [SentencePattern.Part]) -> Bool {
    parts.contains { part in
      switch part {
      case .words: false
      case .option(let inner): has(inner)
      case .choice(let label, let words): word(of: given[label], among: words) != nil
      case .slot(let label, _): given.has(label)
      }
    }
  }

  private func word(of value: SlotValue?, among words: [String]) -> String? {
    switch value {
    case .flag(let isFirst): isFirst ? words[0] : words.dropFirst().first
    case .name(let word) where words.contains(word): word
    default: nil
    }
  }
}

extension Slot {
  /// The words for that value; nil if the slot has no such values.
  fileprivate func text(of value: SlotValue, isSeveral: Bool) -> String? {
    switch (self, value) {
    case (.owner, .name(let name)): "\(name)'s"
    case (.rest, .name(let words)), (.zone, .name(let words)): words
    case (.quote, .name(let text)), (_, .quoted(let text)): ScenarioWord.quoted(text)
    case (_, .name(let name)): ScenarioWord.named(name)
    case (.percent, .number(let number)): "\(number)%"
    case (.ordinal, .number(let number)): Ordinal.text(number)
    case (_, .number(let number)): String(number)
    case (_, .devices(let devices)): devices.text
    case (_, .record(let record)): record.text
    case (_, .place(let place)): place.text
    case (_, .holder(let holder)): holder.text
    case (_, .quantity(let quantity)): quantity.text
    case (_, .span(let span)): span.text
    case (_, .value(let value)): value.text
    case (_, .fields(let fields)): fields.map(\.text).joined(separator: " ")
    case (_, .operation(let operation)): isSeveral ? operation.plural : operation.rawValue
    case (_, .error(let code)): code.rawValue
    case (_, .counters(let checks)): checks.map(\.text).joined(separator: ", ")
    case (_, .fact(let fact)): fact.rawValue
    case (_, .time(let time)): time.iso8601
    case (_, .names), (_, .seed), (_, .flag): nil
    }
  }

  /// Whether the words behind that value are in the plural; nil if it has no influence on them.
  fileprivate func isSeveral(_ value: SlotValue) -> Bool? {
    switch (self, value) {
    case (_, .devices(.named(let names))): names.count > 1
    case (.number, .number(let number)): number > 1
    case (_, .quantity): true
    default: nil
    }
  }
}

extension ScenarioStep {
  /// The line from which the parser makes this step; the first line of a repetition.
  package var text: String {
    let (sentences, values) = saying
    var closest = SentencePrinter(values)
    for sentence in sentences {
      var printer = SentencePrinter(values)
      guard printer.add(sentence.pattern.parts) else { continue }
      if isMeant(by: sentence.meaning(printer.shown)) { return printer.text }
      // Values that a line cannot have, such as a third of a percent, are rounded.
      if printer.shown.values.count > closest.shown.values.count { closest = printer }
    }
    return closest.text.isEmpty ? String(describing: self) : closest.text
  }

  private func isMeant(by meaning: SentenceMeaning) -> Bool {
    switch (meaning, self) {
    case (.step(let step), _): step == self
    case (.repetition(let count, let every), .repeated(let wanted, let interval, _)):
      count == wanted && every == interval
    default: false
    }
  }
}
