import ZoneKitDeviceHost
import ZoneKitRecords
import ZoneKitSync

/// A second, simple implementation of the adoption of local rows.
extension SwissSimulation {
  /// Compares the local rows with the rows that a sign-in made of them: every living row is there, with the account's
  /// person in place of the user's, or a note says why not. Returns what is wrong, as a sentence; nil for nothing.
  @Sendable static func judgeAdoption(_ before: Adoption, _ after: Adoption) -> String? {
    let me = before.appValues[MigrationRecord.userKey]?.text
    let account = before.account.text
    let noted = Set(MigrationRecord(after.appValues[MigrationRecord.key])?.notes.map(\.place) ?? [])
    var adopted: [Name: Fields] = [:]
    for record in after.records {
      let fields = (try? record.local?.fields.decoded()) ?? Fields()
      adopted[record.recordID.recordName] = fields
      guard let me, me != account else { continue }
      if record.recordID.recordName.text.contains(me) || fields.sorted.contains(where: { names($0.value, me) }) {
        return "record \(record.recordID.words) names the former person"
      }
    }
    for record in before.records {
      guard let fields = try? record.local?.fields.decoded(), fields[.deletedAt] == nil else { continue }
      let name = renamed(record.recordID.recordName, me, account)
      guard !noted.contains(name.text), !noted.contains(record.recordID.recordName.text) else { continue }
      guard let kept = adopted[name] else {
        return "record \(record.recordID.words) is not the account's, without a note"
      }
      // The user's person is never archived.
      let left: Set<Name> = name == Name("persons/\(account)") ? ["is_archived"] : []
      for field in fields.sorted
      where !left.contains(field.name) && kept[field.name] != renamed(field.value, me, account) {
        return "record \(record.recordID.words) lost its \(field.name) when it became the account's"
      }
    }
    return nil
  }

  private static func names(_ value: FieldValue, _ me: String) -> Bool {
    switch value {
    case .reference(let reference): reference.recordName.text.contains(me)
    case .string(let text): text == me
    default: false
    }
  }

  private static func renamed(_ name: Name, _ me: String?, _ account: String) -> Name {
    me.map { Name(name.text.replacing($0, with: account)) } ?? name
  }

  private static func renamed(_ value: FieldValue, _ me: String?, _ account: String) -> FieldValue {
    switch value {
    case .reference(var reference):
      reference.recordName = renamed(reference.recordName, me, account)
      return .reference(reference)
    case .string(let text) where text == me: return .string(account)
    default: return value
    }
  }
}
