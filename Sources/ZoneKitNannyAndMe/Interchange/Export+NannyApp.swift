import ZoneKitDeviceHost
import ZoneKitRecords

extension DeviceApp.Export {
  /// The files of the selected profiles, one for each, and a remark on data that is in none of them. Throws if there is
  /// no such profile, or if a name matches several.
  package init(
    of app: NannyApp, _ selection: DeviceApp.Selection = .current, at exportedAt: WallTime
  ) throws(AppRefusal) {
    let profiles = try Self.profiles(of: app, selection)
    let files = profiles.map { profile in
      File(
        name: "\(profile.id.recordName).json",
        text: ShareFile.text(of: profile, actions: app.log.actions(of: profile.id), exportedAt: exportedAt))
    }
    self.init(files: files, remark: Self.remark(on: app, exporting: profiles))
  }

  private static func profiles(of app: NannyApp, _ selection: DeviceApp.Selection) throws(AppRefusal) -> [Profile] {
    switch selection {
    case .current:
      guard let profile = app.currentProfile else { throw noProfile }
      return [profile]
    case .named(let text): return [try profile(text, of: app)]
    case .all:
      guard !app.profiles.profiles.isEmpty else { throw noProfile }
      return app.profiles.profiles
    }
  }

  private static let noProfile = AppRefusal("there is no profile to export; `profile name \"Mia\"` makes one")

  /// The only profile with that name, otherwise the only one whose ID begins with that text.
  private static func profile(_ text: String, of app: NannyApp) throws(AppRefusal) -> Profile {
    let all = app.profiles.profiles
    let named = all.filter { $0.name == text }
    let prefix = Array(text.uppercased().utf8)
    let found = named.isEmpty ? all.filter { $0.id.recordName.text.utf8.starts(with: prefix) } : named
    guard let first = found.first, !text.isEmpty else {
      guard !all.isEmpty else { throw noProfile }
      throw AppRefusal("no profile has the name or ID \(text); there are \(list(all))")
    }
    guard found.count == 1 else { throw AppRefusal("\(text) means several profiles: \(list(found)); give one ID") }
    return first
  }

  private static func list(_ profiles: [Profile]) -> String {
    profiles.map { "\($0.name) (\($0.id.recordName))" }.joined(separator: ", ")
  }

  private static func remark(on app: NannyApp, exporting exported: [Profile]) -> String? {
    let others = app.profiles.profiles.filter { profile in !exported.contains { $0.id == profile.id } }
    var parts = others.map { profile in
      "profile \(profile.name) (\(profile.id.recordName)) with \(app.log.actions(of: profile.id).count.counted("action"))"
    }
    let owned = app.profiles.profiles.reduce(0) { $0 + app.log.actions(of: $1.id).count }
    let orphans = app.log.actions.count - owned
    if orphans > 0 { parts.append("\(orphans.counted("action")) of no profile") }
    if !app.log.refused.isEmpty { parts.append("\(app.log.refused.count.counted("record")) that cannot be read") }
    return parts.isEmpty ? nil : "left out: \(parts.joined(separator: ", "))"
  }
}
