import ZoneKitDeviceHost
import ZoneKitRecords
import ZoneKitScenarios

/// Episodes with devices of a service of tables.
extension SwarmDraw {
  /// The session of a device ends; its user edits, and signs in again.
  mutating func lostSession(_ app: DeviceApp) -> [ScenarioStep] {
    let (device, other) = twoDevices()
    var steps = ready(device) + ready(other) + lines(2, on: device, app) + [wait(0...8_000)]
    steps.append(.tables(.endSession(of: device)))
    if isHead() { steps += restart(device) }
    steps += lines(3, on: device, app) + lines(2, on: other, app) + [wait(0...20_000)]
    return steps + [.account(.signIn(.named([device]), Self.holderName)), wait(0...9_000)]
  }

  /// A user writes while signed out, and signs in. The process dies, or the disk fails, while the rows become the
  /// account's.
  mutating func adoption(_ app: DeviceApp) -> [ScenarioStep] {
    let (device, other) = twoDevices()
    let place = Place.device(device)
    var steps = ready(device) + ready(other) + [.account(.signOut(.named([device])))]
    steps += lines(6, on: device, app) + lines(2, on: other, app) + [wait(0...9_000)]
    switch number(4) {
    case 0: steps.append(.life(.killAt(place, .after(1 + number(4), .commit), startingAgain: true)))
    case 1: steps.append(.life(.killAt(place, .before(1 + number(60), .step), startingAgain: true)))
    case 2: steps.append(.disk(.failWrites(device, 1 + number(2), keeping: isHead())))
    default: break
    }
    steps += [.account(.signIn(.named([device]), Self.holderName)), wait(0...8_000)]
    if number(3) == 0 { steps += restart(device) + [wait(0...3_000)] }
    return steps + lines(2, on: device, app) + [wait(0...9_000)]
  }

  /// A user writes while signed out, signs in, and takes the upload back, with the rows in the cloud or without. Something
  /// goes wrong in the upload or in the rollback.
  mutating func takenBack(_ app: DeviceApp) -> [ScenarioStep] {
    let (device, other) = twoDevices()
    let one = DeviceChoice.named([device])
    var steps = ready(device) + ready(other) + [.account(.signOut(one))] + lines(5, on: device, app) + [wait(0...3_000)]
    if isHead() { steps += upset(device) }
    steps += [.account(.signIn(one, Self.holderName)), wait(0...12_000), .account(.migrate(device))]
    steps += lines(number(3), on: device, app) + lines(2, on: other, app) + [wait(0...12_000)]
    if isHead() { steps += upset(device) }
    steps += [.account(.rollBack(device, isCloudMeant: isHead())), wait(0...9_000)] + ready(device)
    steps += lines(number(3), on: device, app) + lines(1, on: other, app) + [wait(0...9_000)]
    return steps + [.account(.signIn(one, Self.holderName)), wait(0...9_000)]
  }

  /// Something that goes wrong on a device soon.
  private mutating func upset(_ device: String) -> [ScenarioStep] {
    switch number(5) {
    case 0: [.life(.killAt(.device(device), .before(1 + number(60), .step), startingAgain: true))]
    case 1: [.life(.killAt(.device(device), .after(1 + number(4), .commit), startingAgain: true))]
    case 2: [.disk(.failWrites(device, 1 + number(2), keeping: isHead()))]
    case 3: [.cloud(.loseAnswer(.next(1 + number(3)), .request, of: device))]
    default: [.cloud(.loseRequest(.next(1 + number(3)), .request, of: device))]
    }
  }

  /// A client without stamps changes and removes rows that devices edit.
  mutating func foreignWriter(_ app: DeviceApp) -> [ScenarioStep] {
    let (device, other) = twoDevices()
    let person = RecordReference.last(of: device, kind: "person")
    var steps = ready(device) + ready(other) + [write("person add X\(number(100))", on: device)]
    steps += [write("say persons/@1 \"X\(number(100))\"", on: device), wait(6_000...9_000)]
    steps += [write("edit persons/@\(1 + number(4)) name Y\(number(100))", on: other), wait(0...6_000)]
    steps.append(.tables(.set(column: "name", of: person, .text("Z\(number(100))"))))
    if isHead() { steps += [wait(0...6_000), write("edit persons/@1 phone_number +\(number(100))", on: device)] }
    if isHead() {
      let message = RecordReference.last(of: device, kind: "message")
      steps += lines(2, on: other, app) + [.tables(.remove(message))]
    }
    return steps + [wait(0...9_000)]
  }

  /// Rows are deleted and removed for good while a device is away, which may be longer than removals are remembered.
  mutating func purge(_ app: DeviceApp) -> [ScenarioStep] {
    let (device, other) = twoDevices()
    var steps = ready(device) + ready(other) + lines(5, on: other, app) + [wait(7_000...12_000)]
    steps += [.link(.offline(.named([device])))] + lines(2, on: device, app)
    for _ in 0..<4 { if let line = deletion(app) { steps.append(write(line, on: other)) } }
    steps += [wait(7_000...12_000), .tables(.purge(olderThan: TimeSpan(milliseconds: 1)))]
    if isHead() {
      for zone in app.zones {
        steps.append(.zone(.forgetDeletions(zone.zoneName.text, of: Self.holder, before: Self.longAfter)))
      }
    }
    return steps + [wait(0...4_000), .link(.online(.named([device]))), wait(0...9_000)]
  }

  /// A trouble of the channel of a device.
  private mutating func channelTrouble() -> TableTrouble {
    switch number(10) {
    case 0: .refusedJoin
    case 1: .deafJoin(TimeSpan(milliseconds: 1_000 + Int64(number(30)) * 1_000))
    case 2: .mutedHeartbeat
    case 3: .refusedSocket
    case 4: .cutAtJoin
    case 5: .cutAtHeartbeat
    case 6: .cutAtEvent
    default: .silentJoin
    }
  }

  /// A trouble of the requests of a device.
  private mutating func requestTrouble() -> TableTrouble {
    let span = TimeSpan(milliseconds: 1_000 * Int64(1 + number(7_200)))
    return switch number(10) {
    case 0: .endedToken
    case 1, 2: .skewedToken(span, isAhead: isHead())
    case 3: .endedSession
    case 4, 5: .refused(oneOf(TableTrouble.Refusable.allCases))
    case 6, 7: .refusedWrite(code: oneOf(["53100", "42501", "23503", "22P02"]))
    // A stamp of the present time stays as it is.
    default: .earlierStamps(TimeSpan(milliseconds: 1_000 * Int64(1 + number(120))))
    }
  }

  /// The service judges tokens and stamps by another clock, or refuses requests, while users write and sign in and out.
  mutating func requestTroubles(_ app: DeviceApp) -> [ScenarioStep] {
    let (device, other) = twoDevices()
    let one = DeviceChoice.named([device])
    var steps = ready(device) + ready(other)
    for _ in 0..<(1 + number(3)) {
      let of = number(3) > 0 ? device : nil
      steps.append(.tables(.trouble(requestTrouble(), .next(1 + number(4)), of: of)))
      steps += lines(2, on: device, app) + [wait(0...9_000)]
      switch number(5) {
      case 0: steps += restart(device)
      case 1: steps += [.account(.signOut(one)), wait(0...2_000), .account(.signIn(one, Self.holderName))]
      case 2: steps.append(.cloud(.doubleRecords(.next(1 + number(3)), .request, of: nil)))
      default: break
      }
    }
    steps += lines(2, on: other, app) + [wait(0...9_000)]
    return steps + [.account(.signIn(one, Self.holderName)), wait(0...9_000)]
  }

  /// The channel of a device is not joined, is cut, or its events are lost, while another one writes.
  mutating func deafChannel(_ app: DeviceApp) -> [ScenarioStep] {
    let (device, other) = twoDevices()
    var steps = ready(device) + ready(other) + [wait(1_000...3_000)]
    steps.append(.tables(.trouble(channelTrouble(), .next(1 + number(3)), of: isHead() ? device : nil)))
    steps += isHead() ? restart(device) : [.link(.offline(.named([device]))), .link(.online(.named([device])))]
    steps += lines(3, on: other, app) + [wait(0...12_000)]
    if isHead() { steps.append(.push(.fault(PushTrouble(.drop, .next(1 + number(3)), to: device)))) }
    return steps + lines(2, on: other, app) + [wait(0...12_000)]
  }

  /// Answers to saves are lost, and the same rows are edited meanwhile, here and elsewhere.
  mutating func cutAnswers(_ app: DeviceApp) -> [ScenarioStep] {
    let (device, other) = twoDevices()
    let row = 1 + number(3)
    var steps = ready(device) + ready(other) + [write("edit persons/@\(row) name A\(number(100))", on: device)]
    steps += [.cloud(.loseAnswer(.next(1 + number(3)), .save, of: nil)), wait(4_900...5_300)]
    steps.append(write("edit persons/@\(row) name B\(number(100))", on: device))
    if isHead() { steps.append(write("edit persons/@\(row) name C\(number(100))", on: other)) }
    if isHead() { steps += [wait(0...2_000)] + restart(device) }
    return steps + lines(2, on: device, app) + [wait(0...9_000)]
  }

  /// A device deletes an expense, and another one, which is away, edits it or its parts.
  mutating func cascade() -> [ScenarioStep] {
    let (device, other) = twoDevices()
    let expense = "financial_transactions/@\(1 + number(2))"
    let part = "transaction_\(isHead() ? "splits" : "payers")/@\(1 + number(3))"
    var steps = ready(device) + ready(other) + [write("spend \(10 + number(90)) \"K\" by me,@1 for me,@1", on: device)]
    steps += [wait(7_000...12_000), .link(.offline(.named([other])))]
    let deletion = [write("delete \(expense)", on: device)]
    let edits = [write("edit \(part) amount \(1 + number(50))", on: other)]
    steps += isHead() ? deletion + [wait(0...3_000)] + edits : edits + [wait(0...3_000)] + deletion
    if isHead() { steps.append(write("edit \(expense) note K\(number(100))", on: other)) }
    steps += [wait(0...9_000), .link(.online(.named([other]))), wait(0...9_000)]
    return steps + (isHead() ? [write("restore \(expense)", on: device), wait(0...9_000)] : [])
  }

  /// A device changes hands: one account signs out, another one in and out, and the first one in again.
  mutating func handedOn(_ app: DeviceApp) -> [ScenarioStep] {
    let (device, other) = twoDevices()
    let one = DeviceChoice.named([device])
    var steps = ready(device) + ready(other) + lines(2, on: device, app) + [wait(0...9_000), .account(.signOut(one))]
    steps += [wait(0...2_000), .account(.signIn(one, Self.strangerName)), wait(0...5_000)]
    steps += lines(3, on: device, app) + lines(2, on: other, app) + [wait(0...9_000), .account(.signOut(one))]
    return steps + [.account(.signIn(one, Self.holderName)), wait(0...9_000)]
  }

  /// Users give a person photos, one after another and on two devices, while answers are lost, processes die or the
  /// person is edited, deleted and restored.
  mutating func photos(_ app: DeviceApp) -> [ScenarioStep] {
    let (device, other) = twoDevices()
    let person = RecordReference.last(of: device, kind: "person")
    var steps = ready(device) + ready(other) + [write("person add F\(number(100))", on: device)]
    if isHead() { steps += [wait(0...9_000)] }
    for _ in 0..<(1 + number(3)) {
      switch number(7) {
      case 0: steps.append(.cloud(.loseAnswer(.next(1 + number(3)), .save, of: nil)))
      case 1: steps.append(.cloud(.answer(.next(1 + number(4)), .save, of: nil, .serviceUnavailable, retryAfter: nil)))
      case 2: steps += cut(device)
      case 3: steps.append(.tables(.endSession(of: device)))
      case 4: steps.append(.link(.set(.named([device]), slowLink)))
      default: break
      }
      steps.append(.tables(.givePhoto(1 + number(3), to: person, on: device)))
      steps.append(wait(0...1_500))
      if number(3) == 0 { steps += cut(device) }
      if number(3) == 0 { steps += restart(device) }
    }
    steps.append(wait(0...9_000))
    switch number(6) {
    case 0: steps.append(.tables(.givePhoto(1 + number(4), to: person, on: other)))
    case 1: steps.append(.tables(.removePhoto(of: person, on: isHead() ? device : other)))
    case 2: steps.append(.app(.edit(other, person, "phone_number +\(number(1_000))")))
    case 3: steps += [.app(.delete(device, person)), wait(0...2_000), .tables(.givePhoto(2, to: person, on: other))]
    case 4: steps += [.account(.signOut(.named([device]))), wait(0...2_000)]
    default: break
    }
    if number(3) == 0 { steps += [wait(0...3_000)] + restart(other) }
    return steps + lines(1, on: other, app) + [
      .account(.signIn(.named([device]), Self.holderName)), wait(0...9_000),
    ]
  }

  /// A client without stamps changes an expense again and again, before the quiet time of the event before is over.
  mutating func steadyStream() -> [ScenarioStep] {
    let (device, other) = twoDevices()
    let expense = RecordReference.last(of: device, kind: "expense")
    var steps = ready(device) + ready(other) + [write("spend \(10 + number(90)) \"T\" for me", on: device)]
    steps.append(wait(7_000...12_000))
    for _ in 0..<(6 + number(10)) {
      steps += [.tables(.set(column: "note", of: expense, .text("T\(number(1_000))"))), wait(80...280)]
    }
    return steps + [wait(0...9_000)]
  }

  /// The socket of a device takes long to open, and meanwhile there are further reasons to open it.
  mutating func slowOpening(_ app: DeviceApp) -> [ScenarioStep] {
    let (device, other) = twoDevices()
    let one = DeviceChoice.named([device])
    var steps = ready(device) + ready(other) + [.link(.offline(one)), wait(0...2_000), .link(.set(one, slowLink))]
    steps += [.link(.online(one)), wait(0...900)]
    for _ in 0..<(1 + number(2)) {
      switch number(3) {
      case 0: steps.append(.life(.foreground(one)))
      case 1: steps += [.life(.background(one)), wait(0...500), .life(.foreground(one))]
      default: steps += [.link(.offline(one)), .link(.online(one))]
      }
      steps.append(wait(0...900))
    }
    steps += lines(2, on: other, app) + [wait(0...9_000), .link(.set(one, Link()))]
    return steps + lines(2, on: other, app) + [wait(0...9_000)]
  }

  /// A link over which each request takes about half a second.
  private var slowLink: Link {
    var slow = Link()
    slow.up.delay = 300...700
    return slow
  }

  /// The device loses its link for a moment.
  private mutating func cut(_ device: String) -> [ScenarioStep] {
    let one = DeviceChoice.named([device])
    return [.link(.offline(one)), wait(0...3_000), .link(.online(one))]
  }

  private func restart(_ device: String) -> [ScenarioStep] {
    [.life(.kill(.device(device))), .life(.start(.device(device)))]
  }
}
