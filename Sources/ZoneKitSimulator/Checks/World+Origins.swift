import ZoneKitPush
import ZoneKitRecords

/// Checks of which devices get a push.
extension World {
  /// Checks that the device whose request made a change gets no push about it, unless the push service leaks such pushes.
  /// A cloud that changes further records itself announces them to all.
  mutating func checkOrigin(of push: PushNotification, on device: Int) {
    let state = devices[device]
    let name = state.coordinator.deviceID
    guard cloud.process.gateway.policy.leakRate == 0, !state.hasTables, isRegistered(device),
      state.app.configuration.traits.derivedTypes.isEmpty,
      push.originDeviceID.map({ $0 == name }) ?? true, let zone = push.zoneID, let time = push.committedAt,
      let account = state.account
    else { return }
    let own = ZoneID(zoneName: zone.zoneName)
    let authors = cloudRecords(in: own, of: account).values.filter { $0.modified.at == time }
      .map(\.modified.author.deviceID)
    guard !authors.isEmpty, authors.allSatisfy({ $0 == name }) else { return }
    let text = "a push of \(own.words) at \(time.iso8601) announces what the device itself changed"
    report(Violation(.subscription, at: now, on: devices[device].name, text), on: .device(device))
  }

  /// Checks that a push goes to a token that is registered for the account that it is about.
  mutating func checkAccount(of push: PushNotification, to token: String, on device: Int) {
    guard let user = push.userRecordName,
      let database = cloud.databases.first(where: {
        UserRecordName.of(user: $0.user) == user && $0.container == push.container
      }),
      let state = try? cloud.process.zones.store.database(database),
      !state.registrations.contains(where: { $0.token == token })
    else { return }
    let text = "a push of account \(database.user) goes to a token that is not registered there"
    report(Violation(.account, at: now, on: devices[device].name, text), on: .device(device))
  }

  /// Whether the cloud knows the device's push token under its present device ID.
  private func isRegistered(_ device: Int) -> Bool {
    let state = devices[device]
    guard let token = state.coordinator.pushToken, let account = state.account else { return false }
    let database = try? cloud.process.zones.store.database(database(of: account))
    return database?.registrations.contains { $0.token == token && $0.deviceID == state.coordinator.deviceID } ?? false
  }
}
