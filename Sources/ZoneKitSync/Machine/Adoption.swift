import ZoneKitRecords

/// The records and values that were written while nobody was signed in, when an account signs in: as they are, and as a
/// rule of the app makes them for the account.
public struct Adoption: Hashable, Sendable {
  /// The account that signs in.
  public var account: Name
  /// The records, in the order in which they are sent. Of a rule's result only ID, type and the user's version count.
  /// Records without that version are left out.
  public var records: [LocalRecord]
  /// The app's values.
  public var appValues: [String: DeviceValue]

  /// A rule of the app: what becomes the account's. It throws to refuse the sign-in; then nothing has changed.
  public typealias Rule = @Sendable (Adoption) throws(StoreError) -> Adoption

  /// Those records and values.
  public init(account: Name, records: [LocalRecord], appValues: [String: DeviceValue]) {
    self.account = account
    self.records = records
    self.appValues = appValues
  }
}
