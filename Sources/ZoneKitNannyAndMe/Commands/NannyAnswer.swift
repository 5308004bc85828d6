import ZoneKitRecords
import ZoneKitSync

/// The answer to a command.
package enum NannyAnswer: Hashable, Sendable {
  /// Edits for the coordinator, in order and for one transaction, and a sentence for the user.
  case changed([RecordEdit], said: String)
  /// No edits: the state is already as requested.
  case unchanged(said: String)
  /// The listed actions, and the totals of the whole log.
  case actions([BabyAction], ActionTotals)
  /// An action to show.
  case action(BabyAction)
  /// A profile to show.
  case profile(Profile)

  /// The edits for the coordinator; none if the answer only shows something.
  package var edits: [RecordEdit] {
    switch self {
    case .changed(let edits, _): edits
    case .unchanged, .actions, .action, .profile: []
    }
  }

  /// The answer as lines of text. Times in lists are in that zone. A line break inside a text is shown as a space.
  package func lines(now: WallTime, in zone: TimeZoneRules = .utc) -> [String] {
    switch self {
    case .changed(_, let said), .unchanged(let said): [said.onOneLine]
    case .actions(let actions, let totals): Self.lines(of: actions, totals, now: now, in: zone)
    case .action(let action): ["id \(action.id.recordName)"] + Self.lines(of: action.fields)
    case .profile(let profile): ["id \(profile.id.recordName)"] + Self.lines(of: profile.fields)
    }
  }

  /// The answer as a JSON object: `said` with the IDs of the changed records and the app's word for each (`profile` or
  /// an action's category, null for a deletion); or `actions` and `totals`; or `action`; or `profile`. The latter three
  /// have the form of the file format.
  package var json: JSON {
    switch self {
    case .changed(let edits, let said):
      [
        "said": .string(said), "records": .array(edits.map { .string($0.recordID.recordName.text) }),
        "kinds": .array(edits.map { $0.kind.map(JSON.string) ?? .null }),
      ]
    case .unchanged(let said): ["said": .string(said), "records": [], "kinds": []]
    case .actions(let actions, let totals):
      ["actions": .array(actions.map(ShareFile.json)), "totals": .string(totals.line)]
    case .action(let action): ["action": ShareFile.json(of: action)]
    case .profile(let profile): ["profile": ShareFile.json(of: profile)]
    }
  }

  private static func lines(
    of actions: [BabyAction], _ totals: ActionTotals, now: WallTime, in zone: TimeZoneRules
  ) -> [String] {
    guard totals.count > 0 else { return ["nothing is logged yet; `log diaper pee` or `start sleep` begins"] }
    let left = totals.count - actions.count
    let rest = left > 0 ? ["not shown: \(left) more; `list \(totals.count)` shows all"] : []
    return ActionTable(actions, now: now, in: zone).lines.map(\.onOneLine) + rest + [totals.line]
  }

  private static func lines(of fields: Fields) -> [String] {
    fields.sorted.map { "\($0.name) \(text(of: $0.value))".onOneLine }
  }

  private static func text(of value: FieldValue) -> String {
    switch value {
    case .string(let text): text
    case .timestamp(let time): time.iso8601
    case .int64(let number): "\(number)"
    case .double(let number): "\(number)"
    case .reference(let reference): reference.recordName.text
    default: "(\(value.type.rawValue))"
    }
  }
}

extension String {
  /// The text with spaces instead of line breaks and control characters.
  fileprivate var onOneLine: String {
    String(String.UnicodeScalarView(unicodeScalars.map { Self.breaks($0) ? " " : $0 }))
  }

  private static func breaks(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.properties.generalCategory {
    case .control, .lineSeparator, .paragraphSeparator: true
    default: false
    }
  }
}
