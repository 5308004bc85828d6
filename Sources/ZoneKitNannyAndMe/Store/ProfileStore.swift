import ZoneKitRecords
import ZoneKitSync

/// The profiles of a device. Like `ActionLogStore`, it is a cache of the device's store.
package struct ProfileStore: Hashable, Sendable {
  /// All profiles, ascending by record ID.
  package private(set) var profiles: [Profile] = []

  /// No profiles.
  package init() {}

  /// The profiles that a store holds.
  package init(rebuiltFrom store: some DeviceStore) throws(StoreError) {
    profiles = try store.records(ofType: Profile.recordType).compactMap(Self.read)
  }

  /// A record is now this, nil where it is gone. One that is no profile is ignored.
  mutating func refresh(_ id: RecordID, _ record: LocalRecord?) {
    profiles.removeAll { $0.id == id }
    guard let record, record.recordType == Profile.recordType, let profile = Self.read(record) else { return }
    let index = profiles.firstIndex { id < $0.id } ?? profiles.endIndex
    profiles.insert(profile, at: index)
  }

  /// The profile of that ID.
  package func profile(_ id: RecordID) -> Profile? { profiles.first { $0.id == id } }

  /// The profile to which commands apply: the one with the smallest record ID. The account's first profile is used only
  /// if there is no other, so that an imported one replaces it on all devices.
  package func current(firstProfile: RecordID) -> Profile? {
    profiles.first { $0.id != firstProfile } ?? profiles.first
  }

  /// The profile in a record; nil if it is damaged. Its record stays in the store and loses to every other version.
  private static func read(_ record: LocalRecord) -> Profile? {
    guard let content = record.local else { return nil }
    return Profile(id: record.recordID, fields: content.readableFields)
  }
}
