import ZoneKitRecords

/// A parsed file: one profile, its actions, and remarks on what could not be read.
package struct ShareFile: Hashable, Sendable {
  /// An action and its place in the file.
  package struct Entry: Hashable, Sendable {
    /// The place as a JSON pointer.
    package var path: String
    /// The action, with the app's rules applied.
    package var action: BabyAction
  }

  /// The version of the format that this app reads and writes.
  package static let version: Int64 = 1

  /// The time at which the file was written. It is the stamp of records without one.
  package var exportedAt: WallTime
  /// The profile.
  package var profile: Profile
  /// The actions: those under `activeActions`, then those under `history`, each in the order of the file.
  package var entries: [Entry] = []
  /// The actions that could not be read.
  package var refused: [ShareNote] = []
  /// The values that were left out: unknown keys, pictures, and values of the wrong type in the profile.
  package var keptOut: [ShareNote] = []

  /// Parses a file. If its outer structure cannot be read, the whole file is refused.
  package init(parsing bytes: [UInt8], zoneID: ZoneID = NannyZone.zoneID) throws(ShareFileError) {
    let json: JSON
    do throws(JSONError) { json = try JSON(exactly: bytes) } catch { throw .malformed("\(error)") }
    // Checked first: the rest of a newer version's file may have a different structure.
    if let version = json["version"]?.integer, version > Self.version { throw .newerVersion(version) }
    do throws(ShareNote) { try self.init(json, zoneID: zoneID) } catch { throw .malformed("\(error)") }
  }

  private init(_ json: JSON, zoneID: ZoneID) throws(ShareNote) {
    var top = try ShareObject(json, at: "")
    let version = try top.integer("version", in: Self.version...Self.version)
    _ = try top.demand("version", "the number \(Self.version)", version)
    exportedAt = try top.demand("exportedAt", "a date", try top.time("exportedAt"))
    var object = try ShareObject(try top.demand("profile", "an object", top.value("profile")), at: "/profile")
    profile = try object.profile(zoneID: zoneID, exportedAt: exportedAt, keptOut: &keptOut)
    var actions = try ShareObject(try top.demand("actions", "an object", top.value("actions")), at: "/actions")
    try readActions(of: &actions)
    keptOut += object.unknown + actions.unknown + top.unknown
  }

  private mutating func readActions(of actions: inout ShareObject) throws(ShareNote) {
    if let active = actions.value("activeActions") {
      guard let members = active.object else {
        throw ShareNote("/actions/activeActions", "expected an object of actions by category, found \(active.kind)")
      }
      for member in members {
        take(member.value, at: ShareNote.path("/actions/activeActions", member.key), under: member.key)
      }
    }
    let history = try actions.demand("history", "a list of actions", actions.value("history"))
    guard let elements = history.array else {
      throw ShareNote("/actions/history", "expected a list of actions, found \(history.kind)")
    }
    for (index, element) in elements.enumerated() { take(element, at: "/actions/history/\(index)", under: nil) }
  }

  /// Reads one action. An action that cannot be read is refused alone.
  private mutating func take(_ json: JSON, at path: String, under category: String?) {
    do throws(ShareNote) {
      var object = try ShareObject(json, at: path)
      let action = try object.action(of: profile.id, exportedAt: exportedAt)
      guard category == nil || category == action.category.rawValue else {
        throw ShareNote(path, "an action of category \(action.category.rawValue) does not belong under this key")
      }
      entries.append(Entry(path: path, action: ActionRules.normalised(action)))
      keptOut += object.unknown
    } catch {
      refused.append(error)
    }
  }
}
