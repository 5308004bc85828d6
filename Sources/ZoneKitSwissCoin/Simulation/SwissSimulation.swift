import ZoneKitDeviceHost
import ZoneKitRecords
import ZoneKitSync
import ZoneKitTables

/// Swiss Coin's part of a simulation: random commands, and checks that implement the app's rules a second time in a
/// simple way.
enum SwissSimulation {
  /// The properties for `DeviceApp.simulation`.
  static var part: DeviceApp.Simulation {
    var part = DeviceApp.Simulation()
    part.judge = judge
    part.flaw = flaw
    part.law = law
    part.randomLine = randomLine
    part.announcedLine = announcedLine
    part.familyLines = familyLines
    part.fieldsOfCloud = fieldsOfCloud
    part.isGiven = isGiven
    part.judgeAdoption = judgeAdoption
    part.judgeAgreement = judgeAgreement
    part.balance = balance
    return part
  }

  /// The server deletes and restores the rows that another one owns together with it, and knows when it made a profile.
  @Sendable private static func fieldsOfCloud(_ id: RecordID) -> [Name] {
    guard let table = SwissCoin.table(of: id) else { return [] }
    return (table.ownerRow == nil ? [] : [.deletedAt]) + (table.name == "profiles" ? [.createdAt] : [])
  }

  /// The server makes each account a profile of that name.
  @Sendable private static func isGiven(_ id: RecordID, _ field: Field) -> Bool {
    SwissCoin.table(of: id)?.name == "profiles" && field == Field(name: "display_name", value: .string("Me"))
  }

  // MARK: Commands

  /// `@N` stands for the Nth row of the table that a command asks for.
  @Sendable private static func randomLine(_ draw: () -> UInt64) -> String {
    let number = draw() % 9 + 1
    let amount = Cents(Int64(draw() % 20_000) + 1).text
    switch draw() % 32 {
    case 0: return "person add P\(draw() % 100) phone +\(number)"
    case 1: return "person add P\(draw() % 100)"
    case 2: return "person \(["archive", "unarchive"][Int(draw() % 2)]) @\(number)"
    case 3: return "me name M\(draw() % 100)"
    case 4: return "group add G\(draw() % 100) with @\(number)"
    case 5: return "group join @\(number) @\(draw() % 9 + 1)"
    case 6: return "group leave @\(number) @\(draw() % 9 + 1)"
    case 7, 8, 9: return "spend \(amount) \"E\(draw() % 100)\" by me,@\(number) for me,@\(number)"
    case 10: return "spend \(amount) EUR \"E\(draw() % 100)\" for all in @\(number)"
    case 11:
      return "spend \(amount) \"E\(draw() % 100)\" for me,@\(number) split shares:\(number),1 note N\(draw() % 9)"
    case 12: return "spend \(amount) \"E\(draw() % 100)\" for me,@\(number) split percent:\(number),\(100 - number)"
    case 13, 14: return "settle \(amount) from @\(number) to me at -\(number)h"
    case 15: return "remind @\(number) \(amount) \"R\(draw() % 100)\""
    case 16, 17: return "say persons/@\(number) \"S\(draw() % 100)\""
    case 18: return "say user_groups/@\(number) \"S\(draw() % 100)\" on @\(draw() % 9 + 1)"
    case 19: return "subscribe S\(draw() % 100) \(amount) every \(number) days with @\(number)"
    case 20: return "pay @\(number) \(amount) by me"
    case 21: return "subsettle @\(number) \(amount) from @\(draw() % 9 + 1) to me"
    case 22: return "subremind @\(number) @\(draw() % 9 + 1) \(amount)"
    case 23: return "edit persons/@\(number) phone_number +\(draw() % 1_000)"
    case 24: return "edit persons/@\(number) name P\(draw() % 100)"
    case 25: return "edit transaction_splits/@\(number) amount \(amount)"
    case 26: return "edit user_groups/@\(number) color_hex \"#00000\(number)\""
    case 27: return "delete @\(draw() % 60 + 1)"
    case 28: return "restore @\(draw() % 60 + 1)"
    case 29: return "delete financial_transactions/@\(number)"
    default: return "edit financial_transactions/@\(number) note N\(draw() % 100)"
    }
  }

  /// Commands that change rows in live tables, and those that such rows own.
  @Sendable private static func announcedLine(_ draw: () -> UInt64) -> String {
    let number = draw() % 9 + 1
    let amount = Cents(Int64(draw() % 20_000) + 1).text
    switch draw() % 9 {
    case 0: return "spend \(amount) \"E\(draw() % 100)\" for me"
    case 1, 2: return "spend \(amount) \"E\(draw() % 100)\" by me,@\(number) for me,@\(number)"
    case 3: return "settle \(amount) from @\(number) to me"
    case 4: return "remind @\(number) \(amount)"
    case 5: return "say persons/@\(number) \"S\(draw() % 100)\""
    case 6: return "subscribe S\(draw() % 100) \(amount) monthly with @\(number)"
    case 7: return "edit financial_transactions/@\(number) note N\(draw() % 100)"
    // Not a transaction: if another device edits it meanwhile, only its parts are deleted, which no event announces.
    default: return "delete settlements/@\(number)"
    }
  }

  /// A group, and a person's membership in it.
  @Sendable private static func familyLines(_ number: Int) -> DeviceApp.FamilyLines {
    let id = RowKey([UUID(high: UInt64(number), low: 1, version: 8)])
    let group = id.recordName(in: "user_groups")
    return DeviceApp.FamilyLines(
      parent: "group add F\(number) id \(id.text)", child: "group join \(group) @1",
      edit: "edit \(group) name F\(number)b",
      deletion: "delete \(group)", id: SwissCoin.recordID("user_groups", id))
  }

  // MARK: Checks

  /// Checks a row that the app wrote: it is named by its key, it has a stamp, and a settlement has two ends.
  @Sendable private static func flaw(_ id: RecordID, _ content: RecordContent) -> String? {
    guard let fields = try? content.fields.decoded() else { return "its fields cannot be read" }
    if let table = SwissCoin.table(of: id), table.key.count == 2 {
      let ends = table.key.map { key in
        fields[key]?.references.first?.recordName.text.split(separator: "/").last.map { String($0) } ?? "nothing"
      }
      if id.recordName.text != "\(table.name)/\(ends.joined(separator: "."))" { return "its key is \(ends)" }
    }
    guard time(fields[.editedAt]) != nil else { return "it has no edit stamp" }
    if let from = fields["from_person_id"], from == fields["to_person_id"] { return "its two persons are one" }
    if case .double(let amount)? = fields["amount"], !(amount >= 0 && amount <= 1_000_000_000) {
      return "its amount is \(amount)"
    }
    return nil
  }

  /// Checks the end of a row against all versions of it: its content is that of the latest one. Its stamp may be older,
  /// because a version with the content that the service has already is not stored. Rows that another one owns are
  /// deleted and restored with that one, so they are left out.
  @Sendable private static func law(_ id: RecordID, _ versions: [RecordContent], _ final: RecordContent) -> String? {
    guard SwissCoin.table(of: id)?.ownerRow == nil else { return nil }
    guard let end = rank(final) else { return "its fields cannot be read" }
    let own = fieldsOfCloud(id)
    guard let latest = versions.compactMap({ rank($0)?.stamp }).max(), latest > end.stamp else { return nil }
    let isKept = versions.contains {
      rank($0)?.stamp == latest && content(of: $0, without: own) == content(of: final, without: own)
    }
    return isKept ? nil : "it is as of \(end.stamp.iso8601), and a user edited it at \(latest.iso8601)"
  }

  private static func content(of version: RecordContent, without names: [Name]) -> Fields? {
    guard var fields = try? version.fields.decoded() else { return nil }
    for name in names + [.editedAt] { fields.remove(name) }
    return fields
  }

  /// Decides a conflict again in a simple way: the later stamp, then the living version, then the greater bytes.
  @Sendable private static func judge(_ entry: ConflictEntry) -> String? {
    guard RowOrder.Rule(rawValue: entry.rule) != nil, let local = rank(entry.local), let server = rank(entry.server),
      entry.winner == .local || entry.winner == .server
    else { return nil }
    let isLocalGreater: Bool
    if local.stamp != server.stamp {
      isLocalGreater = local.stamp > server.stamp
    } else if local.isLiving != server.isLiving {
      isLocalGreater = local.isLiving
    } else {
      isLocalGreater = server.bytes.lexicographicallyPrecedes(local.bytes)
    }
    guard local.bytes != server.bytes, isLocalGreater != (entry.winner == .local) else { return nil }
    return "\(entry.recordID.words): \(entry.winner.rawValue) won by \(entry.rule), and the other version is greater"
  }

  private static func rank(_ content: RecordContent?) -> (stamp: WallTime, isLiving: Bool, bytes: [UInt8])? {
    guard var fields = try? content?.fields.decoded() else { return nil }
    let stamp = time(fields[.editedAt]) ?? SwissCoin.oldestStamp
    fields.remove(.editedAt)
    return (stamp, fields[.deletedAt] == nil, EncodedFields(fields).utf8)
  }

  private static func time(_ value: FieldValue?) -> WallTime? {
    guard case .timestamp(let time)? = value else { return nil }
    return time
  }
}
