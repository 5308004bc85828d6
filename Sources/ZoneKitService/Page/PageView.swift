import ZoneKitRecords

/// What the live page shows of devices and cloud, as JSON.
struct PageView: Sendable {
  /// The members that lists are sent in parts of: a device by its name.
  private static let devices = "devices"

  /// The members, in the order in which they are sent.
  let members: [JSON.Member]

  /// A view with those members.
  init(_ members: [JSON.Member]) { self.members = members }

  /// The whole view.
  var json: JSON { .object(members) }

  /// What has changed since another view: the members that are not equal; of the devices only those that are not, and under
  /// `gone` the names of those that are not there any more. Nil if nothing has changed.
  func changes(since former: PageView) -> JSON? {
    let old = Dictionary(former.members.map { ($0.key, $0.value) }, uniquingKeysWith: { first, _ in first })
    var changed: [JSON.Member] = []
    for member in members where old[member.key] != member.value {
      guard member.key == Self.devices else {
        changed.append(member)
        continue
      }
      let known = Self.byName(old[member.key])
      let now = member.value.array ?? []
      changed.append(JSON.Member(member.key, .array(now.filter { known[$0["name"]?.string ?? ""] != $0 })))
      let gone = Set(known.keys).subtracting(now.compactMap { $0["name"]?.string })
      if !gone.isEmpty { changed.append(JSON.Member("gone", .array(gone.sorted().map { .string($0) }))) }
    }
    return changed.isEmpty ? nil : .object(changed)
  }

  private static func byName(_ devices: JSON?) -> [String: JSON] {
    Dictionary(
      (devices?.array ?? []).compactMap { device in device["name"]?.string.map { ($0, device) } },
      uniquingKeysWith: { first, _ in first })
  }
}
