import ZoneKitCloud
import ZoneKitRecords

@testable import ZoneKitStorage

/// What is left of a cloud after a power cut, and what must be true of it.
struct CloudSurvivor {
  let root: String
  let story: CloudStory
  let cut: PowerCut

  /// The content after the last step that was reported.
  private var reported: CloudContent { cut.acknowledged < 0 ? CloudContent() : story.contents[cut.acknowledged] }

  /// The content after the step that was under way.
  private var attempted: CloudContent {
    cut.acknowledged + 1 < story.contents.count ? story.contents[cut.acknowledged + 1] : reported
  }

  /// The first thing that is wrong; nil if nothing is.
  func problem() -> String? {
    do {
      // A check copies each file with a WAL, so it is not made each time. Before the first step it finds a file that
      // was put there.
      if cut.acknowledged >= 0, cut.point % 4 == 0, let problem = faults { return problem }
      var cloud = try CloudStory(root: root, seed: 2)
      let content = try CloudContent(of: cloud.server.store)
      let problem =
        difference(of: content) ?? schemaProblem(content, cloud.server.store) ?? tokenProblem(content, &cloud)
        ?? workProblem(content, &cloud)
      cloud.server.store.close()
      return problem ?? faults
    } catch {
      return "\(error)"
    }
  }

  /// What a check of the files finds.
  private var faults: String? {
    let faults = CloudCheck(root: root).faults
    return faults.isEmpty ? nil : "the check finds \(faults.map { "\($0.place): \($0.message)" })"
  }

  /// Compares zone by zone and database by database: each is as it was before or after the step that was under way.
  private func difference(of content: CloudContent) -> String? {
    for key in Set(content.zones.keys).union(attempted.zones.keys).union(reported.zones.keys).sorted() {
      let found = content.zones[key]
      guard found != reported.zones[key], found != attempted.zones[key] else { continue }
      return "zone \(key.zoneName) of \(key.database.user) is \(Self.text(found)) instead of "
        + "\(Self.text(reported.zones[key])) or \(Self.text(attempted.zones[key]))"
    }
    for id in Set(content.databases.keys).union(reported.databases.keys).sorted() {
      let found = content.databases[id] ?? CloudContent.Database()
      var allowed = [reported.databases[id] ?? CloudContent.Database()]
      if let database = attempted.databases[id] { allowed.append(database) }
      if isListStale(id) { allowed += allowed.map(\.withoutIdentity) }
      guard !allowed.contains(found) else { continue }
      return "the database of \(id.user) is \(found) instead of one of \(allowed)"
    }
    return nil
  }

  /// Whether the list of zones may name one whose creation was under way. Then the database gets a new identity.
  private func isListStale(_ id: DatabaseID) -> Bool {
    attempted.zones.keys.contains { $0.database == id && reported.zones[$0] == nil }
  }

  private static func text(_ zone: CloudContent.Zone?) -> String {
    guard let zone else { return "missing" }
    return "at sequence \(zone.header.sequence) of incarnation \(zone.header.incarnation) with "
      + "\(zone.records.map { "\($0.recordName)@\($0.sequence)" })"
  }

  /// The schema of the container is durable before a zone uses it: it has every definition of every zone.
  private func schemaProblem(_ content: CloudContent, _ store: CloudFiles) -> String? {
    do {
      for (key, zone) in content.zones.sorted(by: { $0.key < $1.key }) where !zone.header.isDeleted && !key.isInternal {
        for definition in try store.definitions(in: key) {
          let directory = SchemaDirectory(of: key.database).zone
          let type = try store.zone(directory) == nil ? nil : try store.record(definition.recordType, in: directory)
          let known = try type?.fields.decoded()[definition.field]
          guard known != .string(definition.type.rawValue) else { continue }
          return "the container lacks \(definition) of zone \(key.zoneName)"
        }
      }
      return nil
    } catch {
      return "\(error)"
    }
  }

  // MARK: Tokens

  /// A token either is refused because its zone or database began anew, or brings what is missing since then.
  private func tokenProblem(_ content: CloudContent, _ cloud: inout CloudStory) -> String? {
    guard cut.acknowledged >= 0 else { return nil }
    for step in Set([cut.acknowledged, cut.point % (cut.acknowledged + 1)]).sorted() {
      for given in story.tokens[step] {
        let before = story.contents[step]
        let answer = cloud.changes(since: given)
        let problem =
          if let zone = given.zone {
            problem(of: answer, ZoneKey(database: given.database, zoneName: zone), before, content)
          } else {
            problem(of: answer, given.database, before, content)
          }
        if let problem { return "a token of step \(step): \(problem)" }
      }
    }
    return nil
  }

  private func problem(
    of answer: CloudResponse, _ key: ZoneKey, _ before: CloudContent, _ content: CloudContent
  ) -> String? {
    guard let old = before.zones[key] else { return "zone \(key.zoneName) was not there" }
    guard case .zoneChanges(let results) = answer, case .changes(let changes) = results[0] else {
      let isSame = content.zones[key]?.header.incarnation == old.header.incarnation
      let isGone = content.zones[key]?.header.isDeleted ?? true
      return isSame && !isGone ? "zone \(key.zoneName) refuses it: \(answer)" : nil
    }
    var tags = old.tags
    for change in changes.page.changes {
      switch change {
      case .saved(let record): tags[record.recordName] = record.changeTag
      case .deleted(let name, _): tags[name] = nil
      }
    }
    return tags == content.zones[key]?.tags ? nil : "changes of zone \(key.zoneName) are missing"
  }

  private func problem(
    of answer: CloudResponse, _ id: DatabaseID, _ before: CloudContent, _ content: CloudContent
  ) -> String? {
    guard case .databaseChanges(let changes) = answer else {
      let isSame = content.databases[id]?.identity == before.databases[id]?.identity
      return isSame ? "the database of \(id.user) refuses it: \(answer)" : nil
    }
    let listed = changes.zones.map { zone in
      switch zone {
      case .changed(let zoneID, _), .deleted(let zoneID, _): zoneID.zoneName
      }
    }
    let missing = content.zones.filter { key, zone in
      key.database == id && zone.isListed(after: before.zones[key]) && !listed.contains(key.zoneName)
    }
    return missing.isEmpty ? nil : "the feed of the database lacks \(missing.keys.map(\.zoneName))"
  }

  // MARK: Work

  /// Every zone takes a record, and every database a zone.
  private func workProblem(_ content: CloudContent, _ cloud: inout CloudStory) -> String? {
    var requests: [(CloudRequest, DatabaseID)] = []
    for id in content.databases.keys.sorted().filter({ $0.scope == .private }).prefix(1) {
      requests.append((.modifyZones([.create(ZoneID(zoneName: "After"))]), id))
    }
    for (key, zone) in content.zones.sorted(by: { $0.key < $1.key })
    where !zone.header.isDeleted && !key.isInternal {
      let save = RecordOperation(.create, recordName: "after", recordType: "Note")
      let batch = ModifyRecords(zoneID: ZoneID(zoneName: key.zoneName), operations: [save], isAtomic: false)
      requests.append((.modifyRecords(batch), key.database))
    }
    return cloud.answers(requests).compactMap(\.problem).first.map { "it takes no change: \($0)" }
  }
}

extension CloudContent.Zone {
  /// Whether a device that knew that content has to hear of the zone. A token that merely expired does not count.
  fileprivate func isListed(after known: Self?) -> Bool {
    tags != known?.tags || header.isDeleted != known?.header.isDeleted
  }

  /// The change tags of the records.
  fileprivate var tags: [Name: ChangeTag] {
    var tags: [Name: ChangeTag] = [:]
    for record in records where !record.isDeleted { tags[record.recordName] = record.record.changeTag }
    return tags
  }
}
