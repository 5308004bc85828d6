import ZoneKitDeviceHost
import ZoneKitRecords
import ZoneKitStorage
import ZoneKitSync

/// Reads the records of a zone for the live page, from the files of cloud and devices. It runs on a thread of its own.
struct PageReader: Sendable {
  /// A zone of an account of an app.
  struct Place: Sendable {
    var app: String
    var user: Name
    var zone: Name
  }

  /// The data directory.
  let data: DataDirectory
  /// The apps of the program, and those of stores that such apps made.
  let apps: @Sendable ([StoreOwner]) -> [DeviceApp]
  /// The cloud's part of the server's status report, made right before.
  let cloud: JSON
  /// The time.
  let now: WallTime

  /// Records of a zone in the cloud in the order of their names: those after a name whose text has the filter's, as far as they
  /// fit in the limit. Throws if there is no such app, or a file cannot be read.
  func records(in place: Place, after: Name?, limit: Int, filter: String?) throws(StoresError) -> JSON {
    let app = try app(place.app, among: OpenedDevices(in: data)).app
    let zone = try StoresError.from { () throws(StoreError) in
      try CloudContent(of: app, account: place.user, in: data, at: now).zone(place.zone)
    }
    let needle = filter.map { $0.lowercased() }
    var found: [JSON] = []
    var next: Name?
    var total = 0
    for name in zone.sightings.keys.sorted() {
      guard case .saved(let version) = zone[name] else { continue }
      let fields = Self.texts(version.content.leavingOut(app.cloudsOwnField))
      if let needle, !Self.matches(needle, name, zone.types[name], fields) { continue }
      total += 1
      if let after, name <= after { continue }
      guard found.count < limit else {
        next = next ?? found.last?["record"]?.string.map { Name($0) }
        continue
      }
      found.append([
        "record": .string(name.text), "type": zone.types[name].map { .string($0.text) } ?? .null,
        "fields": .object(fields.map { JSON.Member($0.name, .string($0.text)) }),
        "changedAt": zone[name].changedAt.map { .string($0.iso8601) } ?? .null,
        "device": .string(version.modified.author.deviceID),
      ])
    }
    return [
      "records": .array(found), "next": next.map { .string($0.text) } ?? .null, "total": .integer(Int64(total)),
    ]
  }

  private static func matches(
    _ needle: String, _ name: Name, _ type: Name?, _ fields: [(name: String, text: String)]
  ) -> Bool {
    ([name.text, type?.text ?? ""] + fields.map(\.text)).contains { $0.lowercased().contains(needle) }
  }

  /// One record in the cloud and on each device of the account, field by field.
  func record(_ name: Name, in place: Place) throws(StoresError) -> JSON {
    let opened = OpenedDevices(in: data)
    let (app, apps) = try app(place.app, among: opened)
    let dump = try DiagnosticsDump(of: opened, apps: [app], version: "", cloud: cloud, at: now).document
    let sights = PushSights(in: dump)
    let subscriptions = try? CloudReading(app.database(of: place.user, in: .development), root: data.cloud)
      .subscriptions()
    return try StoresError.from { () throws(StoreError) in
      let readings = opened.made(by: apps).filter {
        $1.storeName == app.storeName && $0.account == place.user
      }
      let devices = try readings.map { (reading, _) throws(StoreError) in
        try AppDevice(reading, app, user: place.user, sights.way(to: reading, subscriptions)).zone(place.zone)
      }
      let zone = try CloudContent(of: app, account: place.user, in: data, at: now).zone(place.zone)
      let cloud = zone[name].leavingOut(app.cloudsOwnField)
      let type = zone.types[name] ?? devices.compactMap { $0.records[name]?.recordType }.first
      let places =
        [Self.place("cloud", cloud.content, isKnown: cloud.changedAt != nil, tag: cloud.tag)]
        + devices.map { device in
          let reason = device.difference(name, type: type, cloud: cloud, now: now)
          return Self.place(
            device.name, device.content(name), isKnown: device.records[name] != nil,
            tag: device.records[name]?.server?.changeTag, isPending: device.records[name]?.isPending == true,
            reason: reason?.sentence(device: device.name))
        }
      let contents = [cloud.content] + devices.map { $0.content(name) }
      let fields = Set(contents.compactMap { $0 }.flatMap { Self.texts($0).map(\.name) })
      return [
        "record": .string(name.text), "zone": .string(place.zone.text),
        "type": type.map { .string($0.text) } ?? .null, "fields": .array(fields.sorted().map { .string($0) }),
        "places": .array(places),
      ]
    }
  }

  private static func place(
    _ name: String, _ content: RecordContent?, isKnown: Bool, tag: ChangeTag?, isPending: Bool = false,
    reason: String? = nil
  ) -> JSON {
    [
      "place": .string(name), "state": .string(content != nil ? "there" : isKnown ? "deleted" : "never"),
      "fields": content.map { .object(texts($0).map { JSON.Member($0.name, .string($0.text)) }) } ?? .null,
      "tag": tag.map { .string($0.text) } ?? .null, "isPending": .bool(isPending),
      "reason": reason.map { .string($0) } ?? .null,
    ]
  }

  private static func texts(_ content: RecordContent) -> [(name: String, text: String)] {
    guard let fields = try? content.fields.decoded() else { return [] }
    return fields.sorted.map { ($0.name.text, RecordDifference.short($0.value)) }
      + (content.parent.map { [(RecordDifference.parentField.text, $0.text)] } ?? [])
  }

  /// The app of that name, and all that are known.
  private func app(
    _ name: String, among opened: OpenedDevices
  ) throws(StoresError) -> (app: DeviceApp, known: [DeviceApp]) {
    let known = apps(opened.owners(unmarkedApp: apps([]).first?.name ?? ""))
    guard let app = known.flatMap(\.variants).first(where: { $0.name == name }) else {
      throw .input("there is no app \(name); there are \(known.map(\.name).joined(separator: ", "))")
    }
    return (app, known)
  }
}

extension CloudSighting {
  /// The change tag of the version; nil if there is none.
  fileprivate var tag: ChangeTag? { if case .saved(let version) = self { version.changeTag } else { nil } }
}
