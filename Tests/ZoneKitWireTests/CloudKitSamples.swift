import ZoneKitRecords

/// Random names, values and messages that fit each other, drawn from a seed.
struct CloudKitSamples {
  var random: SplitMix64

  init(seed: UInt64) { random = SplitMix64(seed: seed) }

  // MARK: Drawing

  mutating func int(_ range: ClosedRange<Int>) -> Int { Int.random(in: range, using: &random) }

  mutating func flip() -> Bool { Bool.random(using: &random) }

  mutating func one<Item>(of items: [Item]) -> Item { items[int(0...items.count - 1)] }

  mutating func maybe<Item>(_ draw: (inout Self) -> Item) -> Item? { flip() ? draw(&self) : nil }

  mutating func some<Item>(_ range: ClosedRange<Int> = 0...4, _ draw: (inout Self) -> Item) -> [Item] {
    (0..<int(range)).map { _ in draw(&self) }
  }

  // MARK: Names and values

  /// Text of all that JSON and URLs trip over.
  mutating func text() -> String {
    some(0...8) {
      $0.one(of: ["a", "Z", "0", "\"", "\\", "/", "\n", "\u{0}", "\u{1F}", "é", "e\u{301}", "🍼", " ", "+", "%", "&"])
    }
    .joined()
  }

  mutating func name() -> Name { Name("n" + text()) }

  mutating func zoneID() -> ZoneID {
    ZoneID(zoneName: name(), owner: one(of: [.caller, .user("_user01"), .user("_é\"")]))
  }

  mutating func integer() -> Int64 { one(of: [0, -1, 7, .min, .max, Int64.random(in: -9999...9999, using: &random)]) }

  mutating func number() -> Double {
    one(of: [0, -0.0, 1, 0.1, 1e300, Double.leastNonzeroMagnitude, -2.5, Double(bitPattern: random.next() >> 2)])
  }

  mutating func bytes() -> [UInt8] { some(0...5) { UInt8.random(in: 0...255, using: &$0.random) } }

  mutating func time() -> WallTime { WallTime(milliseconds: integer()) }

  mutating func reference() -> Reference {
    Reference(
      recordName: name(), zoneID: maybe { $0.zoneID() }, action: one(of: Reference.Action.allCases))
  }

  mutating func location() -> Location {
    var location = Location(latitude: number(), longitude: number())
    location.altitude = maybe { $0.number() }
    location.horizontalAccuracy = maybe { $0.number() }
    location.verticalAccuracy = maybe { $0.number() }
    location.course = maybe { $0.number() }
    location.speed = maybe { $0.number() }
    location.timestamp = maybe { $0.time() }
    return location
  }

  mutating func value() -> FieldValue { value(of: one(of: FieldType.allCases)) }

  private mutating func value(of type: FieldType) -> FieldValue {
    switch type {
    case .string: .string(text())
    case .int64: .int64(integer())
    case .double: .double(number())
    case .bytes: .bytes(bytes())
    case .encryptedBytes: .encryptedBytes(bytes())
    case .timestamp: .timestamp(time())
    case .reference: .reference(reference())
    case .location: .location(location())
    case .stringList: .stringList(some { $0.text() })
    case .int64List: .int64List(some { $0.integer() })
    case .doubleList: .doubleList(some { $0.number() })
    case .bytesList: .bytesList(some { $0.bytes() })
    case .timestampList: .timestampList(some { $0.time() })
    case .referenceList: .referenceList(some { $0.reference() })
    case .locationList: .locationList(some { $0.location() })
    case .asset: .asset(asset())
    case .assetList: .assetList(some { $0.asset() })
    case .unknownList: .unknownList
    }
  }

  mutating func asset() -> Asset {
    Asset(fileChecksum: "c" + text(), size: integer() & .max, receipt: maybe { $0.text() })
  }

  /// A change that a device can send: a guess only where the value shows its type.
  mutating func change() -> FieldChange {
    guard int(0...4) > 0 else { return .clear }
    let isEncrypted = flip()
    guard flip() else { return .set(value(), isTyped: true, isEncrypted: isEncrypted) }
    let shown: FieldType = one(of: [.string, .int64, .double, .reference, .location, .asset, .unknownList])
    return .set(value(of: shown), isTyped: false, isEncrypted: isEncrypted)
  }

  mutating func record() -> Record {
    let fields = some { Field(name: $0.name(), value: $0.value(), isEncrypted: $0.flip()) }
    return Record(
      recordName: name(), recordType: name(), fields: EncodedFields(Fields(fields)), changeTag: ChangeTag(text()),
      created: authorship(), modified: authorship(), parent: maybe { $0.name() })
  }

  private mutating func authorship() -> Authorship {
    Authorship(at: time(), author: Author(userRecordName: name(), deviceID: text()))
  }

  mutating func error() -> CloudError {
    CloudError(
      one(of: CloudErrorCode.allCases), text(),
      retryAfterMilliseconds: maybe { Int64($0.int(0...100_000_000)) })
  }

  mutating func token() -> ChangeToken { ChangeToken("t" + text()) }

  mutating func subscription() -> Subscription {
    Subscription(
      subscriptionID: name().text, kind: subscriptionKind(), notificationInfo: maybe { $0.info() },
      firesOnce: flip())
  }

  private mutating func subscriptionKind() -> Subscription.Kind {
    switch int(0...2) {
    case 0: return .database
    case 1: return .zone(zoneID())
    default:
      let kinds = some { $0.one(of: RecordChangeKind.allCases) } + [.create]
      return .query(QuerySubscription(query().query, in: maybe { $0.zoneID() }, firesOn: kinds))
    }
  }

  private mutating func info() -> NotificationInfo {
    var info = NotificationInfo(
      alertBody: maybe { $0.text() }, shouldBadge: flip(), shouldSendContentAvailable: flip())
    info.alertLocalizationKey = maybe { $0.text() }
    info.alertLocalizationArgs = some { $0.text() }
    info.alertActionLocalizationKey = maybe { $0.text() }
    info.alertLaunchImage = maybe { $0.text() }
    info.soundName = maybe { $0.text() }
    info.category = maybe { $0.text() }
    info.title = maybe { $0.text() }
    info.subtitle = maybe { $0.text() }
    info.titleLocalizationKey = maybe { $0.text() }
    info.titleLocalizationArgs = some { $0.text() }
    info.subtitleLocalizationKey = maybe { $0.text() }
    info.subtitleLocalizationArgs = some { $0.text() }
    info.additionalFields = some { $0.text() }
    return info
  }

  mutating func caller() -> Caller { Caller(user: name(), deviceID: maybe { $0.name().text }) }
}
