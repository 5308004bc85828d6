/// The pattern of a sentence, written like the sentence: words stand for themselves, `a|b` for one of several words,
/// `{slot}` or `{label:slot}` for a value of that kind, and `[ ... ]` encloses an optional part.
struct SentencePattern: Sendable {
  indirect enum Part: Sendable {
    case words([String])
    case slot(label: String, Slot)
    case option([Part])
    /// A choice of words. The word that is chosen becomes a value.
    case choice(label: String, [String])
  }

  let parts: [Part]

  /// Parses a pattern. An invalid pattern is a programmer error, which the tests of this module find.
  init(_ text: String) {
    var stack: [[Part]] = [[]]
    let spaced = text.replacing("[", with: " [ ").replacing("]", with: " ] ")
    for piece in spaced.split(separator: " ") {
      switch piece {
      case "[": stack.append([])
      case "]":
        let inner = stack.removeLast()
        precondition(!stack.isEmpty, "\(text) closes an option that it never opened")
        stack[stack.count - 1].append(.option(inner))
      default: stack[stack.count - 1].append(Self.part(piece, of: text))
      }
    }
    precondition(stack.count == 1, "\(text) leaves an option open")
    parts = stack[0]
  }

  private static func part(_ piece: Substring, of text: String) -> Part {
    guard piece.first == "{", piece.last == "}" else { return .words(piece.split(separator: "|").map(String.init)) }
    let halves = piece.dropFirst().dropLast().split(separator: ":").map(String.init)
    let kind = halves[halves.count - 1]
    if let slot = Slot(rawValue: kind) { return .slot(label: halves[0], slot) }
    precondition(halves.count == 2, "\(text) has a slot of no known kind: \(kind)")
    return .choice(label: halves[0], kind.split(separator: "|").map(String.init))
  }
}

/// The values of a sentence's slots, by label.
struct SlotValues {
  private(set) var values: [(label: String, value: SlotValue)] = []

  mutating func set(_ label: String, _ value: SlotValue) { values.append((label, value)) }

  subscript(label: String) -> SlotValue? { values.last { $0.label == label }?.value }

  func has(_ label: String) -> Bool { self[label] != nil }

  static func + (first: SlotValues, second: SlotValues) -> SlotValues {
    SlotValues(values: first.values + second.values)
  }

  /// The first device among them; nil if there is none.
  var firstDevice: String? {
    for (label, value) in values {
      switch value {
      case .name(let name) where label == "device": return name
      case .devices(.named(let names)): return names.first
      case .place(.device(let name)), .holder(.device(let name)): return name
      case .record(.last(let owner, _)), .record(.nth(_, let owner, _)): return owner
      default: continue
      }
    }
    return nil
  }
}

extension SlotValues: ExpressibleByDictionaryLiteral {
  init(dictionaryLiteral elements: (String, SlotValue?)...) {
    values = elements.compactMap { label, value in value.map { (label, $0) } }
  }

  /// The values of the requests or pushes that a fault hits.
  init(_ count: FaultCount, _ operation: CloudOperation? = nil, of device: String? = nil) {
    self =
      switch count {
      case .every: ["which": .name("every")]
      case .next(let number): ["which": .name("the"), "number": number == 1 ? nil : .number(number)]
      }
    self = self + ["operation": operation.map(SlotValue.operation), "device": .name(device)]
  }
}

/// Each accessor requires a label that the pattern of the sentence has. Any other label is a programmer error.
extension SlotValues {
  func devices(_ label: String = "devices") -> DeviceChoice {
    guard case .devices(let value) = self[label] else { preconditionFailure("no devices at \(label)") }
    return value
  }

  func name(_ label: String = "name") -> String {
    guard let value = optionalName(label) else { preconditionFailure("no name at \(label)") }
    return value
  }

  func optionalName(_ label: String) -> String? {
    guard case .name(let value) = self[label] else { return nil }
    return value
  }

  var device: String { name("device") }

  func names(_ label: String = "names") -> [String] {
    guard case .names(let value) = self[label] else { preconditionFailure("no names at \(label)") }
    return value
  }

  func record(_ label: String = "record") -> RecordReference {
    guard let record = optionalRecord(label) else { preconditionFailure("no record at \(label)") }
    return record
  }

  func optionalRecord(_ label: String = "record") -> RecordReference? {
    guard case .record(let value) = self[label] else { return nil }
    return value
  }

  func place(_ label: String = "place") -> Place {
    guard case .place(let value) = self[label] else { preconditionFailure("no place at \(label)") }
    return value
  }

  func holder(_ label: String = "holder") -> Holder {
    guard case .holder(let value) = self[label] else { preconditionFailure("no holder at \(label)") }
    return value
  }

  func number(_ label: String = "number") -> Int {
    guard let value = optionalNumber(label) else { preconditionFailure("no number at \(label)") }
    return value
  }

  func optionalNumber(_ label: String = "number") -> Int? {
    guard case .number(let value) = self[label] else { return nil }
    return value
  }

  func quantity(_ label: String = "quantity") -> Quantity? {
    guard case .quantity(let value) = self[label] else { return nil }
    return value
  }

  func span(_ label: String = "span") -> TimeSpan {
    guard let value = optionalSpan(label) else { preconditionFailure("no span at \(label)") }
    return value
  }

  func optionalSpan(_ label: String = "span") -> TimeSpan? {
    guard case .span(let value) = self[label] else { return nil }
    return value
  }
}
