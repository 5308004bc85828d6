import ZoneKitRecords
import Testing

@testable import ZoneKitCloud

@Suite struct `an asset` {
  private let place = AssetPlace(recordName: "n", fieldName: "photo")
  private let photo = TestCloud.asset(1)

  private func save(
    _ asset: Asset, on name: Name = "n", field: Name = "photo", _ kind: RecordOperation.Kind = .forceUpdate,
    in cloud: inout TestCloud
  ) -> RecordResult {
    cloud.perform(
      RecordOperation(kind, recordName: name, recordType: "Note", fields: [.guessed(field, .asset(asset))]))
  }

  private func reason(_ result: RecordResult) -> String? {
    result.error?.code == .invalidArguments ? result.error?.reason : nil
  }

  @Test func `is saved with the receipt of its upload, and kept without it`() throws {
    var cloud = TestCloud.withNotes()
    let result = save(cloud.upload(photo, for: place), in: &cloud)
    #expect(try result.record?.fields.decoded()["photo"] == .asset(photo))
    #expect(try cloud.fields(of: "n")?["photo"] == .asset(photo))
  }

  @Test func `is saved with a receipt alone`() throws {
    var cloud = TestCloud.withNotes()
    let receipt = cloud.upload(photo, for: place).receipt
    let result = save(Asset(fileChecksum: "", size: 0, receipt: receipt), in: &cloud)
    #expect(try result.record?.fields.decoded()["photo"] == .asset(photo))
  }

  @Test func `stays if a record is saved as it was read`() throws {
    var cloud = TestCloud.withNotes()
    _ = save(cloud.upload(photo, for: place), in: &cloud)
    for kind in [RecordOperation.Kind.forceUpdate, .forceReplace] {
      #expect(try save(photo, kind, in: &cloud).record?.fields.decoded()["photo"] == .asset(photo))
    }
  }

  @Test func `without a receipt must be the one that the field has`() {
    var cloud = TestCloud.withNotes()
    _ = cloud.upload(photo, for: place)
    let why = "an asset without a receipt must be the one that the field has; upload the bytes and send the receipt"
    #expect(reason(save(photo, in: &cloud)) == "field photo of record n: \(why)")
    _ = save(cloud.upload(photo, for: place), in: &cloud)
    #expect(reason(save(TestCloud.asset(2), in: &cloud)) == "field photo of record n: \(why)")
    #expect(reason(save(photo, field: "other", in: &cloud)) == "field other of record n: \(why)")
  }

  @Test func `is refused with a receipt that no cloud has made`() {
    var cloud = TestCloud.withNotes()
    for receipt in ["", "x", Base64.encodeForURL([UInt8](repeating: 7, count: 60))] {
      let result = save(Asset(fileChecksum: photo.fileChecksum, size: 1, receipt: receipt), in: &cloud)
      #expect(
        reason(result)
          == "field photo of record n: the receipt is unknown; send the dictionary with which the upload was answered")
    }
    #expect(cloud.record("n") == nil)
  }

  @Test func `is refused with a receipt for another record, field, database or account`() {
    var cloud = TestCloud.withNotes()
    let sent = cloud.upload(photo, for: place)
    #expect(
      reason(save(sent, on: "m", in: &cloud))
        == "field photo of record m: the receipt is for field photo of record n")
    #expect(
      reason(save(sent, field: "other", in: &cloud))
        == "field other of record n: the receipt is for field photo of record n")
    for change in [{ $0.user = "mara" }, { $0.container = "iCloud.b" }] as [(inout DatabaseID) -> Void] {
      var database = cloud.database
      change(&database)
      let foreign = AssetReceipt(photo, for: place).asset(in: database)
      #expect(
        reason(save(foreign, in: &cloud))
          == "field photo of record n: the receipt is of another account or database; upload the bytes for this one")
    }
  }

  @Test func `is refused if its bytes are gone, or are not those that the client names`() {
    var cloud = TestCloud.withNotes()
    var sent = cloud.upload(photo, for: place)
    sent.fileChecksum = TestCloud.asset(2).fileChecksum
    #expect(
      reason(save(sent, in: &cloud))
        == "field photo of record n: the receipt is for other bytes than fileChecksum names")
    sent.fileChecksum = photo.fileChecksum
    cloud.server.store.setAsset(photo.fileChecksum, size: nil, in: cloud.database)
    #expect(
      reason(save(sent, in: &cloud))
        == "field photo of record n: the bytes of the receipt are not kept any more; upload them again")
  }

  @Test func `is refused in an atomic batch with all of it`() {
    var cloud = TestCloud.withNotes()
    let results = cloud.modify(
      [
        .create("a", [.guessed("title", .string("x"))]),
        .create("n", [.typed("photo", .asset(Asset(fileChecksum: "c", size: 1, receipt: "r")))]),
      ], isAtomic: true)
    #expect(results.map { $0.error?.code } == [.batchRequestFailed, .invalidArguments])
    #expect(cloud.record("a") == nil)
  }

  @Test func `of a list is new or one of those that the list had`() throws {
    var cloud = TestCloud.withNotes()
    let first = cloud.upload(photo, for: AssetPlace(recordName: "n", fieldName: "photos"))
    _ = cloud.perform(.create("n", [.guessed("photos", .assetList([first]))]))
    let second = cloud.upload(TestCloud.asset(2), for: AssetPlace(recordName: "n", fieldName: "photos"))
    let change = NamedFieldChange.guessed("photos", .assetList([second, photo]))
    let result = cloud.perform(RecordOperation(.forceReplace, recordName: "n", recordType: "Note", fields: [change]))
    #expect(try result.record?.fields.decoded()["photos"] == .assetList([TestCloud.asset(2), photo]))
  }

  @Test func `can be used in another record with a receipt that says no field`() throws {
    var cloud = TestCloud.withNotes()
    _ = save(cloud.upload(photo, for: place), in: &cloud)
    let places = [
      place, AssetPlace(recordName: "none", fieldName: "photo"), AssetPlace(recordName: "n", fieldName: "title"),
    ]
    guard case .assets(let results) = cloud.ask(.rereferenceAssets(zoneID: cloud.notes, places)),
      case .asset(let asset) = results[0]
    else {
      Issue.record("no receipt")
      return
    }
    #expect(try save(asset, on: "m", field: "copy", in: &cloud).record?.fields.decoded()["copy"] == .asset(photo))
    let errors = results.dropFirst().map {
      if case .failed(_, let error) = $0 { error.code } else { CloudErrorCode?.none }
    }
    #expect(errors == [.unknownItem, .unknownItem])
  }
}

@Suite struct `a query about assets` {
  private func answer(_ comparator: CloudQuery.Comparator, _ field: Name, _ value: FieldValue) -> CloudErrorCode? {
    var cloud = TestCloud.withNotes()
    for name in ["photo", "photos"] as [Name] {
      let asset = cloud.upload(TestCloud.asset(1), for: AssetPlace(recordName: name, fieldName: name))
      _ = cloud.perform(.create(name, [.typed(name, name == "photo" ? .asset(asset) : .assetList([asset]))]))
    }
    let query = CloudQuery("Note", where: [CloudQuery.Filter(comparator, .field(field), value, isTyped: true)])
    switch cloud.ask(.queryRecords([QueryRecords(query, in: cloud.notes)])) {
    case .queries(let results): if case .failed(let error)? = results.first { return error.code } else { return nil }
    case .failure(let error): return error.code
    default: return nil
    }
  }

  @Test func `is refused, because assets do not compare`() {
    let asset = FieldValue.asset(TestCloud.asset(1))
    #expect(answer(.equals, "photo", asset) == .invalidArguments)
    #expect(answer(.equals, "photo", .string("x")) == .invalidArguments)
    #expect(answer(.listContains, "photos", asset) == .invalidArguments)
  }
}

@Suite struct `permissions to upload` {
  private let limits = Limits()

  /// The text of a permission for that record, as `assets/upload` answers.
  private func token(_ name: Name? = "n", in cloud: inout TestCloud) throws -> AssetUploadToken {
    let upload = AssetUpload(recordName: name, recordType: "Note", fieldName: "photo")
    let answer = cloud.ask(.createUploads(zoneID: cloud.notes, [upload]))
    guard case .uploads(let tokens) = answer else { throw CloudError(.internalError, "\(answer)") }
    return tokens[0]
  }

  private func why(_ uploads: inout AssetUploads, _ text: String, at now: WallTime) -> String? {
    do throws(CloudError) {
      _ = try uploads.begin(text, limits: limits, at: now)
      return nil
    } catch {
      return error.reason
    }
  }

  @Test func `name the field, in the order of the request, and a record that has no name gets one`() throws {
    var cloud = TestCloud.withNotes()
    let names: [Name?] = ["b", nil, "a"]
    let asked = names.map { AssetUpload(recordName: $0, recordType: "Note", fieldName: "photo") }
    guard case .uploads(let tokens) = cloud.ask(.createUploads(zoneID: cloud.notes, asked)) else {
      Issue.record("no tokens")
      return
    }
    #expect(tokens.count == 3 && tokens[0].recordName == "b" && tokens[2].recordName == "a")
    let made = tokens[1].recordName.text
    #expect(UUID(made) != nil && made == made.uppercased())
    var uploads = AssetUploads()
    let upload = try uploads.begin(tokens[1].token, limits: limits, at: cloud.now)
    #expect(upload.database == cloud.database && upload.place.recordName == tokens[1].recordName)
  }

  @Test func `are good once`() throws {
    var cloud = TestCloud.withNotes()
    var uploads = AssetUploads()
    let text = try token(in: &cloud).token
    let upload = try uploads.begin(text, limits: limits, at: cloud.now)
    #expect(why(&uploads, text, at: cloud.now) == "the upload URL is used; ask assets/upload for another one")
    uploads.breakOff(upload)
    #expect(why(&uploads, text, at: cloud.now) == nil)
  }

  @Test func `are good for 15 minutes`() throws {
    var cloud = TestCloud.withNotes()
    var uploads = AssetUploads()
    let text = try token(in: &cloud).token
    let end = cloud.now.advanced(byMilliseconds: 15 * 60_000)
    #expect(
      why(&uploads, text, at: end)
        == "the upload URL has expired; it was valid for 900 s; ask assets/upload for another one")
    #expect(why(&uploads, text, at: end.advanced(byMilliseconds: -1)) == nil)
  }

  @Test func `of an earlier process are refused, so that none is good twice`() throws {
    var cloud = TestCloud.withNotes()
    let text = try token(in: &cloud).token
    var uploads = AssetUploads()
    uploads.started(at: cloud.now.advanced(byMilliseconds: 1))
    #expect(
      why(&uploads, text, at: cloud.now.advanced(byMilliseconds: 2))
        == "the upload URL was made before the server was restarted; ask assets/upload for another one")
  }

  @Test func `that no cloud has made are refused`() throws {
    var cloud = TestCloud.withNotes()
    var uploads = AssetUploads()
    let text = try token(in: &cloud).token
    for wrong in ["", "x", String(text.dropLast(4)), "A" + text.dropFirst()] {
      #expect(why(&uploads, wrong, at: cloud.now) == "the upload URL is unknown; ask assets/upload for another one")
    }
  }

  @Test(arguments: [
    AssetUpload(recordName: "_n", recordType: "Note", fieldName: "photo"),
    AssetUpload(recordName: "", recordType: "Note", fieldName: "photo"),
    AssetUpload(recordName: "n", recordType: "Note", fieldName: "1"),
    AssetUpload(recordName: "n", recordType: "a b", fieldName: "photo"),
  ])
  func `are not given for names that a record cannot have`(upload: AssetUpload) {
    var cloud = TestCloud.withNotes()
    let good = AssetUpload(recordName: "n", recordType: "Note", fieldName: "photo")
    guard case .failure(let error) = cloud.ask(.createUploads(zoneID: cloud.notes, [good, upload])) else {
      Issue.record("given")
      return
    }
    #expect(error.code == .invalidArguments && error.reason.hasPrefix("tokens[1]: "))
  }

  @Test func `are given for at most 200 uploads of a zone that exists`() {
    var cloud = TestCloud.withNotes()
    let upload = AssetUpload(recordName: "n", recordType: "Note", fieldName: "photo")
    let many = [AssetUpload](repeating: upload, count: 201)
    #expect(
      cloud.ask(.createUploads(zoneID: cloud.notes, many))
        == .failure(CloudError(.invalidArguments, "201 tokens in one request, at most 200 are allowed")))
    guard case .failure(let error) = cloud.ask(.createUploads(zoneID: ZoneID(zoneName: "None"), [upload])) else {
      Issue.record("given")
      return
    }
    #expect(error.code == .zoneNotFound)
  }
}

@Suite struct `the collection of assets` {
  private let now = WallTime(milliseconds: 1_700_000_000_000)
  private let limits = Limits()

  private func file(_ number: UInt8, age: Int64) -> AssetCollection.File {
    AssetCollection.File(
      hash: TestCloud.asset(number).hash ?? "", size: 1, uploadedAt: now.advanced(byMilliseconds: -age))
  }

  private func zone(_ deletion: ZoneHeader.Deletion? = nil, isAfterLoss: Bool = false) -> ZoneHeader {
    var zone = ZoneHeader(zoneName: "Notes", incarnation: 1, sequence: 1, databaseSequence: 1, at: now)
    (zone.deletion, zone.isAfterLoss) = (deletion, isAfterLoss)
    return zone
  }

  @Test func `removes what no record has, a day after its upload`() {
    let files = [file(1, age: 90_000_000), file(2, age: 86_400_000), file(3, age: 86_399_000), file(4, age: 0)]
    let collection = AssetCollection(
      of: files, needed: [TestCloud.asset(1).fileChecksum], zones: [zone(), zone(.deleted)], limits: limits, at: now)
    #expect(collection.unneeded == [files[1].hash] && collection.nextIn == 1_000)
  }

  @Test func `has nothing to come if records have all files`() {
    let collection = AssetCollection(
      of: [file(1, age: 0)], needed: [TestCloud.asset(1).fileChecksum], zones: [zone()], limits: limits, at: now)
    #expect(collection.unneeded.isEmpty && collection.nextIn == nil)
  }

  @Test func `removes nothing if a zone lost records, which may come back`() {
    for zone in [zone(.lost), zone(isAfterLoss: true)] {
      let collection = AssetCollection(
        of: [file(1, age: 90_000_000)], needed: [], zones: [zone], limits: limits, at: now)
      #expect(collection.unneeded.isEmpty)
    }
  }
}
