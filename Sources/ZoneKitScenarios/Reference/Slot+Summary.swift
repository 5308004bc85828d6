extension Slot {
  /// The name of the slot in the reference.
  var name: String {
    switch self {
    case .devices: "DEVICES"
    case .device: "DEVICE"
    case .owner: "DEVICE's"
    case .newDevice: "NEW-DEVICE"
    case .record: "RECORD"
    case .place: "PLACE"
    case .holder: "HOLDER"
    case .number: "NUMBER"
    case .seed: "SEED"
    case .quantity: "QUANTITY"
    case .ordinal: "ORDINAL"
    case .span: "DURATION"
    case .percent: "PERCENT"
    case .name: "NAME"
    case .names: "NAMES"
    case .quote: "\"TEXT\""
    case .value: "VALUE"
    case .fields: "FIELDS"
    case .rest: "WORDS"
    case .operation: "OPERATION"
    case .error: "ERROR"
    case .counters: "COUNTERS"
    case .fact: "FACT"
    case .time: "MOMENT"
    case .zone: "ZONE"
    }
  }

  /// A one-line description of the slot's values.
  var summary: String {
    switch self {
    case .devices: "A device, several with commas or `and`, or `every device`."
    case .device: "The name of a device that the header or a step above has added."
    case .owner: "The name of a device with 's, such as A's."
    case .newDevice: "A new name: a capital letter, then letters, digits, - and _, at most 32 in all."
    case .record:
      "A's last action, A's 2nd action or record NAME; `its` for the device that the sentence is about. The app names its kinds."
    case .place: "The name of a device, or `the cloud`."
    case .holder: "The name of a device, for the account that is signed in there, or `account NAME`."
    case .number: "A whole number from 1."
    case .seed: "A whole number from 0 that fits in 64 bits."
    case .quantity: "A whole number from 0, `at most` one or `at least` one."
    case .ordinal: "1st, 2nd, 3rd and so on."
    case .span: "A length of time in d, h, m, s and ms, such as 250ms, 2s or 1h30m."
    case .percent: "A whole number from 0 to 100 with a % sign."
    case .name: "A word, or a text in double quotes."
    case .names: "Words with commas between them."
    case .quote: "A text in double quotes; a backslash stands before a quote or a backslash, \\n is the end of a line."
    case .value: "A whole number, `none`, or a text in double quotes."
    case .fields: "One or more of: field NAME VALUE."
    case .rest: "The rest of the line, in the words of the app."
    case .operation: "The requests that are meant, in the singular or the plural:"
    case .error: "The code of an error:"
    case .counters: "One or more counters with commas, each followed by a QUANTITY:"
    case .fact: "What a device reports:"
    case .time: "A moment such as 2027-01-15T08:00:00Z."
    case .zone: "The name of a time zone, such as Europe/Zurich, or UTC."
    }
  }
}
