import ZoneKitRecords

/// A kind of variable part of a sentence.
enum Slot: String, CaseIterable {
  /// A device, or several separated by commas.
  case devices
  case device
  /// A device in the possessive form, as in `A's`.
  case owner
  /// A name that is new, such as that of a device to be made.
  case newDevice
  /// `A's last action`, `its 2nd action` or `record "NAME"`.
  case record
  case place
  /// A device, which stands for the account that is signed in there, or `account NAME`.
  case holder
  case number
  /// A number from 0 that fits in 64 bits.
  case seed
  /// A number from 0, also with `at most` or `at least` before it.
  case quantity
  case ordinal
  case span
  case percent
  case name
  /// Names separated by commas.
  case names
  case quote
  case value
  case fields
  /// The rest of the line, at least one word.
  case rest
  case operation
  case error
  case counters
  case fact
  case time
  /// The name of a time zone.
  case zone

  /// A description of the slot for an error.
  func expectation(devices: [String]) -> String {
    let known = devices.isEmpty ? "none is declared yet" : devices.joined(separator: ", ")
    return switch self {
    case .devices, .device: "a device (\(known))"
    case .owner: "whose it is (\(devices.isEmpty ? known : devices.map { "\($0)'s" }.joined(separator: ", ")))"
    case .newDevice: "a device's name, such as C"
    case .record: "a record, such as \(devices.first ?? "A")'s last action or record \"NAME\""
    case .place: "a device (\(known)) or the cloud"
    case .holder: "a device (\(known)) or account NAME"
    case .number: "a whole number from 1"
    case .seed: "a whole number from 0 to \(UInt64.max)"
    case .quantity: "a whole number, or `at most` or `at least` one"
    case .ordinal: "which one, such as 1st or 2nd"
    case .span: "a length of time, such as 250ms, 2s or 1h30m"
    case .percent: "a share, such as 30%"
    case .name: "a name"
    case .names: "names with commas between them"
    case .quote: "a text in double quotes"
    case .value: "a value: a whole number, none, or a text in double quotes"
    case .fields: "field NAME VALUE"
    case .rest: "the app's words"
    case .operation: "an operation: \(CloudOperation.allCases.map(\.rawValue).joined(separator: ", "))"
    case .error: "one of \(CloudErrorCode.allCases.map(\.rawValue).joined(separator: ", "))"
    case .counters: "what is counted: \(Counter.allCases.map(\.rawValue).joined(separator: ", "))"
    case .fact: "one of \(Fact.Kind.all(of: .device).map(\.rawValue).joined(separator: ", "))"
    case .time: "a moment such as 2027-01-15T08:00:00Z"
    case .zone: "a time zone such as Europe/Zurich"
    }
  }

  /// The words that are allowed at the slot, to find a near miss.
  var known: [String] {
    switch self {
    case .operation: CloudOperation.allCases.map(\.rawValue)
    case .error: CloudErrorCode.allCases.map(\.rawValue)
    case .counters: Counter.allCases.map(\.rawValue)
    case .fact: Fact.Kind.all(of: .device).map(\.rawValue)
    default: []
    }
  }
}

/// The value of a slot.
enum SlotValue: Hashable {
  case devices(DeviceChoice)
  case name(String)
  case names([String])
  case record(RecordReference)
  case place(Place)
  case holder(Holder)
  case number(Int)
  case seed(UInt64)
  case quantity(Quantity)
  case span(TimeSpan)
  case value(ScenarioValue)
  case fields([ScenarioField])
  case operation(CloudOperation)
  case error(CloudErrorCode)
  case counters([CounterCheck])
  case fact(Fact.Kind)
  case time(WallTime)
  /// Which of a choice's two words is meant: true for the first one; of a choice of one word, whether it is there.
  case flag(Bool)
  /// A name that is in quotes also where it needs none.
  case quoted(String)
}

extension SlotValue? {
  static func name(_ name: String?) -> SlotValue? { name.map(SlotValue.name) }
  static func quoted(_ name: String?) -> SlotValue? { name.map(SlotValue.quoted) }
  static func span(_ span: TimeSpan?) -> SlotValue? { span.map(SlotValue.span) }
}
