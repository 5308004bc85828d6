import ZoneKitRecords

/// The uploads of a process: which permissions are used. A permission is good for one upload of the process that gave it,
/// so that a restart does not make used ones good again.
package struct AssetUploads: Sendable {
  /// When the process began.
  private var startedAt = WallTime(milliseconds: .min)
  /// When the used permissions were given, by their numbers.
  private var used: [UInt64: WallTime] = [:]
  /// The number of used permissions at which expired ones are forgotten.
  private var room = AssetUploads.smallRoom
  private static var smallRoom: Int { 256 }

  /// No uploads.
  package init() {}

  /// The process began.
  package mutating func started(at now: WallTime) { startedAt = now }

  /// An upload with the permission in that text begins. From now on the permission is used. Throws if it is not valid.
  package mutating func begin(_ text: String, limits: Limits, at now: WallTime) throws(CloudError) -> UploadToken {
    if used.count >= room {
      used = used.filter { isFresh($0.value, limits, now) }
      room = max(Self.smallRoom, 2 * used.count)
    }
    guard let token = UploadToken(text) else { throw Self.refused("is unknown") }
    guard isFresh(token.issuedAt, limits, now) else {
      throw Self.refused("has expired; it was valid for \(limits.uploadTime / 1000) s")
    }
    guard token.issuedAt >= startedAt else { throw Self.refused("was made before the server was restarted") }
    guard used.updateValue(token.issuedAt, forKey: token.number) == nil else { throw Self.refused("is used") }
    return token
  }

  /// An upload ended without its bytes, so its permission is good again.
  package mutating func breakOff(_ token: UploadToken) { used[token.number] = nil }

  private func isFresh(_ issuedAt: WallTime, _ limits: Limits, _ now: WallTime) -> Bool {
    now.milliseconds - issuedAt.milliseconds < limits.uploadTime
  }

  private static func refused(_ why: String) -> CloudError {
    CloudError(.invalidArguments, "the upload URL \(why); ask assets/upload for another one")
  }
}
