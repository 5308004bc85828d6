import Testing
import ZoneKitAppDevice
import ZoneKitDeviceHost
import ZoneKitRecords
import ZoneKitSwissCoin
import ZoneKitSync
import ZoneKitTables

struct PhotoTests {
  private let account = UUID(high: 0xA, low: 1)

  private func photo(_ digit: Character, refusal: String? = nil) throws -> QueuedPhoto {
    QueuedPhoto(
      name: try #require(PhotoName(hash: String(repeating: digit, count: 64))), size: 1_234, mediaType: "image/png",
      since: WallTime(milliseconds: 1_777_878_000_000), refusal: refusal)
  }

  private func view(_ device: CoinDevice) throws -> PhotoView {
    var view = try #require(PhotoView(SwissCoin.tables))
    try view.read(device.store)
    return view
  }

  /// What an app's photo rule makes of an uploaded photo, stored.
  private func name(_ record: RecordID, _ path: String?, on device: inout CoinDevice) throws {
    let make = try #require(DeviceApp.swissCoin.photoEdits)
    let edits = try make(record, path, device.view)
    try device.save(AppAnswer(edits: edits, appValues: [AppValueChange(QueuedPhoto.key(of: record), nil)]))
  }

  @Test func `a photo is queued, and the row names it only after its upload`() throws {
    var device = try CoinDevice(account: Name(account.text))
    try device.run("person add Ben")
    let ben = try device.person("Ben")
    let answer = try device.setPhoto(try photo("a"), of: "Ben")
    #expect(answer == ["photo of person Ben \(ben.shortID): 1234 bytes, waits to be uploaded"])
    #expect(try device.person("Ben")["photo_url"] == .null)
    #expect(try view(device).waiting == [ben.id: try photo("a")])
    #expect(try device.run("show Ben").contains("  photo of 1234 bytes waits to be uploaded"))
    #expect(try device.run("list persons").contains { $0.hasSuffix("photo waits to be uploaded") })
    try name(ben.id, "p/a.jpg", on: &device)
    #expect(try device.person("Ben")["photo_url"] == .text("p/a.jpg"))
    #expect(try view(device).waiting.isEmpty)
    #expect(try device.run("list persons").contains { $0.hasSuffix("photo") })
  }

  @Test func `the photo of the user's person is that of the profile too`() throws {
    var device = try CoinDevice(account: Name(account.text))
    try device.pull("profiles", account, ["display_name": .text("Mara")])
    try device.run("person add Ben")
    try name(try device.person("Mara").id, "p/a.jpg", on: &device)
    #expect(try device.row("profiles")["photo_url"] == .text("p/a.jpg"))
    #expect(try device.person("Ben")["photo_url"] == .null)
  }

  @Test func `none takes the photo away, also one that waits`() throws {
    var device = try CoinDevice(account: Name(account.text))
    try device.run("person add Ben")
    let ben = try device.person("Ben")
    #expect(try device.setPhoto(nil, of: "Ben") == ["person Ben \(ben.shortID) has no photo"])
    try device.setPhoto(try photo("a"), of: "Ben")
    #expect(try device.setPhoto(nil, of: "Ben") == ["removed the photo of person Ben \(ben.shortID)"])
    #expect(try view(device).waiting.isEmpty)
    try name(ben.id, "p/a.jpg", on: &device)
    try device.setPhoto(nil, of: "Ben")
    #expect(try device.person("Ben")["photo_url"] == .null)
  }

  @Test func `the same photo again changes nothing, unless it was refused`() throws {
    var device = try CoinDevice(account: Name(account.text))
    try device.run("person add Ben")
    let ben = try device.person("Ben")
    try device.setPhoto(try photo("a"), of: "Ben")
    #expect(try device.setPhoto(try photo("a"), of: "Ben") == ["person Ben \(ben.shortID) has that photo already"])
    let key = QueuedPhoto.key(of: ben.id)
    try device.save(AppAnswer(appValues: [AppValueChange(key, .text(photo("a", refusal: "too large").text))]))
    #expect(try device.run("show Ben").contains("  photo of 1234 bytes set aside: too large"))
    try device.setPhoto(try photo("a"), of: "Ben")
    #expect(try view(device).waiting[ben.id]?.refusal == nil)
    let path = try #require(
      SwissCoin.tables.photos?.path(of: photo("a").name, for: ben.id, account: account))
    #expect(path == "\(account.text)/persons/\(ben.key.text)/\(String(repeating: "a", count: 32)).jpg")
    try name(ben.id, path, on: &device)
    #expect(try device.setPhoto(try photo("a"), of: "Ben") == ["person Ben \(ben.shortID) has that photo already"])
  }

  @Test func `rows without photos and deleted rows are refused`() throws {
    var device = try CoinDevice()
    try device.run("person add Ben")
    try device.run("spend 12 Lunch for me,Ben")
    let lunch = try device.row("financial_transactions").shortID
    let picture = try photo("a")
    #expect(
      try device.refusal(ofPhoto: picture, for: "Lunch")
        == "expense Lunch \(lunch) has no photo; persons and groups have one")
    let ben = try device.person("Ben")
    try device.setPhoto(try photo("a"), of: "Ben")
    try device.run("delete Ben")
    #expect(
      try device.refusal(ofPhoto: nil, for: ben.key.text) == "person Ben \(ben.shortID) is deleted; restore it first")
    #expect(try view(device).waiting.isEmpty, "the photo of a deleted row waits for its return")
    let make = try #require(DeviceApp.swissCoin.photoEdits)
    let edits = try make(ben.id, "p", device.view)
    #expect(edits.isEmpty)
    try device.run("restore Ben")
    #expect(try view(device).waiting.count == 1)
  }

  @Test func `the view of photos follows changes, and keeps the files of deleted rows`() throws {
    var device = try CoinDevice(account: Name(account.text))
    try device.run("group add Flat")
    let flat = try device.row("user_groups")
    var view = try view(device)
    let name = try photo("b").name
    let path = try #require(SwissCoin.tables.photos?.path(of: name, for: flat.id, account: account))
    #expect(path.contains("/groups/"))
    try self.name(flat.id, path, on: &device)
    let isOtherRow = try view.read([], in: device.store)
    let isRow = try view.read([flat.id], in: device.store)
    #expect(!isOtherRow && isRow)
    #expect(view.named == [flat.id: path] && view.needed(by: account) == [name] && view.needed(by: nil).isEmpty)
    try device.run("delete Flat")
    _ = try view.read([flat.id], in: device.store)
    #expect(view.named.isEmpty && view.needed(by: account) == [name])
  }

  @Test func `a queued photo whose row is gone is reported as an orphan`() throws {
    var device = try CoinDevice()
    let key = "photo/persons/\(account.text)"
    try device.save(AppAnswer(appValues: [AppValueChange(key, .text(photo("a").text))]))
    let view = try view(device)
    #expect(try view.orphans(in: device.store, of: nil) == [key])
    let name = try photo("a").name
    #expect(view.queued.isEmpty && view.needed(by: nil) == [name])
  }

  @Test func `after a reset a queued photo waits for its row, which was not fetched yet`() throws {
    var device = try CoinDevice(account: Name(account.text))
    let key = "photo/persons/\(account.text)"
    try device.save(AppAnswer(appValues: [AppValueChange(key, .text(photo("a").text))]))
    #expect(try view(device).orphans(in: device.store, of: account).isEmpty)
  }

  @Test func `the value of a queued photo is read as it was written`() throws {
    let photo = try photo("c", refusal: "no")
    #expect(QueuedPhoto(photo.text) == photo)
    #expect(QueuedPhoto("{}") == nil && QueuedPhoto("no JSON") == nil)
    #expect(
      QueuedPhoto.recordName(ofKey: "photo/persons/1") == "persons/1" && QueuedPhoto.recordName(ofKey: "me") == nil)
  }
}
