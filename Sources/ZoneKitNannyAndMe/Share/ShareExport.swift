import ZoneKitRecords

/// The share file of one profile, and how much of the log is not in it.
package struct ShareExport: Hashable, Sendable {
  /// The file.
  package let text: [UInt8]
  /// How many actions belong to another profile or to none.
  package let otherActions: Int
  /// How many records this version of the app cannot read.
  package let unreadable: Int

  /// Exports a profile, the current one unless another is named; an error where there is none.
  package init(of app: NannyApp, profile id: RecordID? = nil, at exportedAt: WallTime) throws(CommandError) {
    guard let profile = id.map(app.profiles.profile) ?? app.currentProfile else {
      let what = id.map { "no profile has the ID \($0.recordName)" } ?? "there is no profile to export"
      throw CommandError("\(what); `profile name \"Mia\"` makes one")
    }
    let actions = app.log.actions(of: profile.id)
    text = ShareFile.text(of: profile, actions: actions, exportedAt: exportedAt)
    otherActions = app.log.actions.count - actions.count
    unreadable = app.log.refused.count
  }

  /// What is not in the file, in words; nil where nothing is missing.
  package var remark: String? {
    guard otherActions + unreadable > 0 else { return nil }
    return "left out: \(otherActions) actions of other profiles, \(unreadable) records that cannot be read"
  }
}
