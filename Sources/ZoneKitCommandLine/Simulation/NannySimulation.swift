import ZoneKitNannyAndMe
import ZoneKitRecords
import ZoneKitSimulator
import ZoneKitSync

/// NannyAndMe on the devices of a simulated world.
enum NannySimulation {
  /// The app. Its lines are the device's own commands; `@1`, `@2` ... mean actions that are there, counted round.
  static var app: SimulatedApp {
    var app = SimulatedApp(
      configuration: CoordinatorConfiguration(
        mergePolicy: MergePolicy(resolve), stampField: ActionKeys.updatedAt), container: NannyZone.container,
      zones: [NannyZone.zoneID],
      perform: { (line, view, generator) throws(AppRefusal) in try perform(line, view, &generator) },
      repairs: repairs, judge: judge, randomLine: randomLine)
    app.kinds = [
      SimulatedApp.Kind("action", type: BabyAction.recordType), SimulatedApp.Kind("profile", type: Profile.recordType),
    ]
    app.judgeRepair = judge
    app.flaw = flaw
    return app
  }

  private static func perform(
    _ line: String, _ view: AppView, _ generator: inout SplitMix64
  ) throws(AppRefusal) -> [RecordEdit] {
    guard let account = view.account else { throw AppRefusal("nobody is signed in") }
    do {
      var app = NannyApp(user: account)
      // What only adds needs the profiles and none of the log.
      if !line.hasPrefix("log ") { app = try NannyApp(user: account, rebuiltFrom: view.store) }
      let profiles = try view.store.records(ofType: Profile.recordType).map(\.recordID)
      try app.refresh(profiles, from: view.store)
      let command = try NannyCommand(parsing: try naming(line, in: app))
      return try app.perform(command, now: view.wall, using: &generator).edits
    } catch let refusal as AppRefusal {
      throw refusal
    } catch {
      throw AppRefusal("\(error)")
    }
  }

  /// The line with the ID of an action in the place of `@N`.
  private static func naming(_ line: String, in app: NannyApp) throws(AppRefusal) -> String {
    guard line.contains("@") else { return line }
    let actions = app.log.actions.map(\.id.recordName.text).sorted()
    var words = line.split(separator: " ").map(String.init)
    for index in words.indices where words[index].hasPrefix("@") {
      guard let number = Int(words[index].dropFirst()), number > 0 else {
        throw AppRefusal("\(words[index]): expected @1, @2 ... for an action that is there")
      }
      guard !actions.isEmpty else { throw AppRefusal("there is no action yet") }
      words[index] = actions[(number - 1) % actions.count]
    }
    return words.joined(separator: " ")
  }

  private static func repairs(_ view: AppView) -> [RecordEdit] {
    // A store that cannot be read is the coordinator's trouble, which it tells.
    guard let account = view.account, let app = try? NannyApp(user: account, rebuiltFrom: view.store) else { return [] }
    return app.repairs.map(\.edit)
  }

  private static func randomLine(_ chance: inout SplitMix64) -> String {
    let volume = chance.next() % 5_000
    let number = chance.next() % 9 + 1
    switch chance.next() % 16 {
    case 0: return "log diaper \(["pee", "poo", "both"][Int(chance.next() % 3)])"
    case 1, 2: return "log feeding bottle volume \(volume)"
    case 3: return "start sleep"
    case 4: return "stop sleep"
    case 5: return "delete @\(number)"
    case 6: return "profile name Baby\(volume)"
    case 7, 8: return "edit @\(number) placename Place\(volume)"
    case 9: return "edit @\(number) endDate -\(volume % 300 + 1)m"
    case 10: return "edit @\(number) latitude \(Double(volume % 180) / 2)"
    case 11: return "edit @\(number) startDate -\(volume % 600 + 301)m"
    case 12: return "log sleep at -\(volume % 60 + 60)m until -\(volume % 60)m"
    default: return "edit @\(number) bottleVolume \(volume)"
    }
  }

  // MARK: The rule

  /// Begins the name of the rule of a decision that breaks the laws of merging.
  private static let brokenMark = "broken law: "

  /// The app's decision; one that breaks a law is told under a name of its own, which the judge finds in the journal.
  @Sendable private static func resolve(_ conflict: Conflict) -> Resolution {
    var resolution = NannyMergePolicy.resolve(conflict)
    let result = content(of: resolution, in: conflict)
    var swapped = conflict
    (swapped.local, swapped.server) = (conflict.server, conflict.local)
    if content(of: NannyMergePolicy.resolve(swapped), in: swapped) != result {
      resolution.rule = brokenMark + "the other side decides otherwise"
    } else if let field = lostField(of: conflict, in: result) {
      resolution.rule = brokenMark + "only one side changed \(field), and that change is not kept"
    } else if let field = strayField(of: conflict, in: result) {
      resolution.rule = brokenMark + "both sides changed \(field), and it is not the winner's"
    }
    return resolution
  }

  private static func content(of resolution: Resolution, in conflict: Conflict) -> RecordContent? {
    switch resolution.outcome {
    case .keepLocal: conflict.local
    case .adoptServer: conflict.server
    case .merged(let content): content
    case .delete: nil
    }
  }

  /// A conflict's versions and its result as fields; nil where one of them is missing or cannot be read.
  private static func versions(
    of conflict: Conflict, with result: RecordContent?
  ) -> (base: Fields, local: Fields, server: Fields, merged: Fields)? {
    guard let base = try? conflict.ancestor?.fields.decoded(), let local = try? conflict.local?.fields.decoded(),
      let server = try? conflict.server?.fields.decoded(), let merged = try? result?.fields.decoded()
    else { return nil }
    return (base, local, server, merged)
  }

  /// A field that only one side changed and that the result holds otherwise; those that the app's rules set by themselves
  /// are left out.
  private static func lostField(of conflict: Conflict, in result: RecordContent?) -> Name? {
    guard let (base, local, server, merged) = versions(of: conflict, with: result) else { return nil }
    return usersFields.first { field in
      let (old, ours, theirs) = (base[field], local[field], server[field])
      if ours == old { return merged[field] != theirs }
      return theirs == old && merged[field] != ours
    }
  }

  /// A field that both sides changed and that is not as it would be if the winner counted as a whole, which it does where
  /// no ancestor is known.
  private static func strayField(of conflict: Conflict, in result: RecordContent?) -> Name? {
    var whole = conflict
    whole.ancestor = nil
    guard let (base, local, server, merged) = versions(of: conflict, with: result),
      let winner = try? content(of: NannyMergePolicy.resolve(whole), in: whole)?.fields.decoded()
    else { return nil }
    return usersFields.first { field in
      local[field] != base[field] && server[field] != base[field] && merged[field] != winner[field]
    }
  }

  /// The fields that only users set.
  private static let usersFields: [Name] = ["placename", "latitude", "longitude", "name"]

  /// An action of which nothing but the end is another, which is the start of one of the same line.
  private static func judge(_ repair: SimulatedApp.Repaired, _ view: AppView) -> String? {
    guard var before = try? repair.before.fields.decoded(), let after = try? repair.after.fields.decoded() else {
      return "a rule made something of it that cannot be read"
    }
    before[ActionKeys.endDate] = after[ActionKeys.endDate]
    guard before == after else { return "record \(repair.id.words) was changed by a rule in more than its end" }
    let isMet = (try? view.store.records(ofType: BabyAction.recordType))?.contains { record in
      guard record.recordID != repair.id, let other = try? record.local?.fields.decoded() else { return false }
      return record.local?.parent == repair.after.parent && other[ActionKeys.category] == after[ActionKeys.category]
        && other[ActionKeys.startDate] == after[ActionKeys.endDate]
    }
    return isMet == true ? nil : "record \(repair.id.words) was ended by a rule when no other of its line began"
  }

  private static func flaw(_ content: RecordContent) -> String? {
    guard let fields = try? content.fields.decoded(), fields[ActionKeys.startDate] != nil,
      fields[ActionKeys.endDate] != nil, time(fields[ActionKeys.endDate]) < time(fields[ActionKeys.startDate])
    else { return nil }
    return "it ends before it starts"
  }

  /// The app's rule once more and in the simplest way: the newest stamp, then the latest end, an open end being lowest, then
  /// the greater bytes.
  private static func judge(_ entry: ConflictEntry) -> String? {
    if entry.rule.hasPrefix(brokenMark) { return "\(entry.recordID.words): \(entry.rule)" }
    guard ["updatedAt", "endDate", "content"].contains(entry.rule), let local = entry.local, let server = entry.server,
      local.fields != server.fields, let ours = try? local.fields.decoded(), let theirs = try? server.fields.decoded()
    else { return nil }
    let one = (time(ours["updatedAt"]), time(ours["endDate"]))
    let other = (time(theirs["updatedAt"]), time(theirs["endDate"]))
    guard entry.winner == .local || entry.winner == .server else { return nil }
    let isGreater = one == other ? server.fields.utf8.lexicographicallyPrecedes(local.fields.utf8) : one > other
    let expected: ConflictEntry.Winner = isGreater ? .local : .server
    guard expected != entry.winner else { return nil }
    return
      "\(entry.recordID.words): \(entry.winner.rawValue) won by \(entry.rule); \(expected.rawValue) has the newer stamp, "
      + "the later end or the greater bytes"
  }

  private static func time(_ value: FieldValue?) -> Int64 {
    guard case .timestamp(let time)? = value else { return .min }
    return time.milliseconds
  }
}
