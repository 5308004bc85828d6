import ZoneKitDeviceHost
import ZoneKitRecords
import ZoneKitStorage
import ZoneKitSync

/// One look at the devices and the cloud of a data directory for the live page. It reads files and asks running devices, so it
/// runs on a thread of its own.
struct PageObservation: Sendable {
  /// The data directory.
  let data: DataDirectory
  /// The apps of the program, and those of stores that such apps made.
  let apps: @Sendable ([StoreOwner]) -> [DeviceApp]
  /// The `server` member of the view.
  let server: JSON
  /// The server's status report, made right before.
  let status: JSON
  /// The faults of the plan, as sentences.
  let faults: [String]
  /// The program's version.
  let version: String
  /// What the look before read.
  let cache: AgreementCache
  /// The time.
  let now: WallTime

  /// Looks. A part that cannot be read has an error in its place. Also returns what the next look need not read again. An
  /// `outline` compares nothing, so that a page has something to show while many records are read.
  func view(outline: Bool) -> (PageView, AgreementCache) {
    let opened = OpenedDevices(in: data)
    var cache = cache
    let apps = cache.apps(of: opened.owners(unmarkedApp: apps([]).first?.name ?? ""), self.apps)
    let cloud = status["cloud"] ?? .null
    // A data directory that has no devices yet has an empty list.
    guard let dump = try? DiagnosticsDump(of: opened, apps: apps, version: version, cloud: cloud, at: now).document
    else {
      let nothing = Agreement(opened, apps: [], dump: .null, cache: cache, now: now)
      return (view(devices: [], cloud: Self.naming(apps, in: cloud, []), nothing), cache)
    }
    let agreement = Agreement(opened, apps: outline ? [] : apps, dump: dump, cache: cache, now: now)
    let standings = Dictionary(agreement.devices.map { ($0.name, $0) }, uniquingKeysWith: { first, _ in first })
    let devices = (dump["devices"]?.array ?? []).map { device in
      Self.device(device, standings[device["name"]?.string ?? ""])
    }
    let whole = Self.naming(apps, in: dump["cloud"] ?? cloud, devices)
    return (view(devices: devices, cloud: whole, agreement), agreement.cache)
  }

  /// The cloud's part with the app of each zone, as `records` takes it; null for a container that no app has. The tables of a
  /// user's own schema are zones of the accounts of the devices.
  private static func naming(_ apps: [DeviceApp], in cloud: JSON, _ devices: [JSON]) -> JSON {
    var zones = (cloud["zones"]?.array ?? []).map { zone -> JSON in
      let app = apps.first { $0.container.text == zone["container"]?.string }
      return .object((zone.object ?? []) + [JSON.Member("app", app.map { .string($0.name) } ?? .null)])
    }
    for app in apps {
      guard case .tables(let tables) = app.cloud, let relations = tables.relations else { continue }
      let users = devices.filter { $0["app"]?.string == app.name }.compactMap { $0["user"]?.string }
      for user in Set(users).sorted() {
        zones += relations.tables.map { table in
          [
            "container": .string(app.container.text), "environment": .string(tables.environment.rawValue),
            "user": .string(user), "scope": "private", "name": .string(table.name),
            "records": cloud["tables"]?[table.name] ?? .null, "tombstones": 0, "sequence": .null,
            "lastCommitAt": .null, "deleted": false, "app": .string(app.name),
          ]
        }
      }
    }
    return .object((cloud.object ?? []).map { $0.key == "zones" ? JSON.Member($0.key, .array(zones)) : $0 })
  }

  private func view(devices: [JSON], cloud: JSON, _ agreement: Agreement) -> PageView {
    let snapshots = ((try? Snapshots(of: data).list()) ?? []).map { snapshot -> JSON in
      ["name": .string(snapshot.name), "at": snapshot.savedAt.map { .string($0.iso8601) } ?? .null]
    }
    return PageView([
      JSON.Member("zonekit", .string(version)), JSON.Member("server", server),
      JSON.Member("sentences", .array(agreement.sentences.map { .string($0) })),
      JSON.Member("devices", .array(devices)), JSON.Member("cloud", cloud),
      JSON.Member("changes", .array(agreement.changes.map(\.json))),
      JSON.Member("faults", .array(faults.map { .string($0) })), JSON.Member("snapshots", .array(snapshots)),
    ])
  }

  /// A device of the dump with its app and its standing, without what changes with each look.
  private static func device(_ report: JSON, _ device: Agreement.Device?) -> JSON {
    var members = (report.object ?? []).map { member -> JSON.Member in
      guard member.key == "fetch", let fetch = member.value.object else { return member }
      return JSON.Member(member.key, .object(fetch.filter { $0.key != "tokenAge" }))
    }
    if let device {
      members.append(JSON.Member("app", .string(device.app.name)))
      members.append(JSON.Member("standing", device.standing?.json ?? .null))
    }
    return .object(members)
  }
}

extension DeviceStanding {
  /// The standing as the live page gets it.
  fileprivate var json: JSON {
    [
      "level": .string(level.rawValue), "sentence": .string(sentence), "records": .integer(Int64(alike)),
      "behind": .integer(Int64(behind)), "ahead": .integer(Int64(ahead)), "stuck": .integer(Int64(stuck)),
    ]
  }
}

extension ChangeWay {
  /// The way as the live page gets it.
  var json: JSON {
    let tag = changeTag?.text ?? "deleted"
    return [
      "id": .string("\(recordID.zoneID.zoneName)/\(recordID.recordName)@\(tag)"),
      "record": .string(recordID.recordName.text), "zone": .string(recordID.zoneID.zoneName.text),
      "type": recordType.map { .string($0.text) } ?? .null, "user": .string(user.text), "app": .string(app.name),
      "device": author.map { .string($0) } ?? .null, "committedAt": .string(committedAt.iso8601),
      "deleted": .bool(changeTag == nil), "hops": .array(hops.map(\.json)),
    ]
  }
}

extension ChangeWay.Hop {
  fileprivate var json: JSON {
    let times = ["notifiedAt", "receivedAt", "fetchedAt", "mergedAt"].map { JSON.Member($0, trace?[$0] ?? .null) }
    return .object(
      [JSON.Member("on", .string(device))] + times + [
        JSON.Member("isThere", .bool(isThere)), JSON.Member("reason", reason.map { .string($0) } ?? .null),
      ])
  }
}
