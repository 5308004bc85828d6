import ZoneKitRecords
import ZoneKitSync

/// The profiles of a device, rehydrated from its store like `ActionLogStore`.
package struct ProfileStore: Hashable, Sendable {
  /// All profiles, ascending by record ID.
  package private(set) var profiles: [Profile] = []

  /// No profiles.
  package init() {}

  /// The profiles that a store holds.
  package init(rebuiltFrom store: some DeviceStore) throws(StoreError) {
    profiles = try store.records(ofType: Profile.recordType).compactMap(Self.read)
  }

  /// Takes in what a record is now, nil where it is gone. One that is no profile is ignored.
  mutating func refresh(_ id: RecordID, _ record: LocalRecord?) {
    profiles.removeAll { $0.id == id }
    guard let record, record.recordType == Profile.recordType, let profile = Self.read(record) else { return }
    let index = profiles.firstIndex { id < $0.id } ?? profiles.endIndex
    profiles.insert(profile, at: index)
  }

  /// The profile of that ID.
  package func profile(_ id: RecordID) -> Profile? { profiles.first { $0.id == id } }

  /// The profile that commands refer to: the smallest record ID; the account's first profile only where there is no
  /// other, so that an imported one takes its place on all devices alike.
  package func current(firstProfile: RecordID) -> Profile? {
    profiles.first { $0.id != firstProfile } ?? profiles.first
  }

  /// A damaged profile is not shown; its record stays in the store and loses against every other version of it.
  private static func read(_ record: LocalRecord) -> Profile? {
    guard let content = record.local else { return nil }
    return Profile(id: record.recordID, fields: content.readableFields)
  }
}
