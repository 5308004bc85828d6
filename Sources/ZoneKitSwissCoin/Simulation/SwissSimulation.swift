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
    part.judgeCommand = judge
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
