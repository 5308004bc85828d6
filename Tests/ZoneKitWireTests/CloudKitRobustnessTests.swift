import ZoneKitRecords
import Testing
import ZoneKitWire

/// No bytes bring either side down: they are read, or refused in words.
@Suite struct CloudKitRobustnessTests {
  private let database = DatabaseID(container: "c", environment: .development, user: "u", scope: .private)

  @Test(arguments: 0..<20)
  func `a changed request is read or refused`(seed: UInt64) throws {
    var samples = CloudKitSamples(seed: seed)
    for _ in 0..<200 {
      let caller = samples.caller()
      let request = ClientRequest(samples.request(of: caller), to: database, apiToken: "a", caller: caller)
      let http = try #require(CloudKit.http(request.target, changed(request.body, &samples)))
      do throws(RequestFailure) {
        let read = try CloudKitRequest(http)
        // Whatever was read can be sent and is read alike again, but for what stays malformed in other words.
        let again = ClientRequest(read.request, to: database, apiToken: "a", caller: caller)
        if let sent = CloudKit.http(again.target, again.body) {
          let route = try CloudKitRequest(sent).route
          #expect(route == read.route)
        } else {
          Issue.record("a request that was read cannot be sent")
        }
      } catch {
        guard case .badRequest(let reason) = error else {
          Issue.record("a known path answered with \(error)")
          return
        }
        #expect(!reason.isEmpty)
      }
    }
  }

  @Test(arguments: 0..<20)
  func `a changed answer is read or becomes an error`(seed: UInt64) throws {
    var samples = CloudKitSamples(seed: seed)
    for _ in 0..<200 {
      let caller = samples.caller()
      let request = samples.request(of: caller)
      let client = ClientRequest(request, to: database, apiToken: "a", caller: caller)
      let parsed = try CloudKitRequest(try #require(CloudKit.http(client.target, client.body)))
      let answer = CloudKitResponse(samples.response(to: request), to: parsed, of: caller, uuid: "U", root: "http://h")
      let status = samples.one(of: [answer.status, 200, 400, 429, 503])
      let body = changed(answer.body, &samples)
      let read = ClientResponseReader.read(status: status, body: body, to: request, as: caller)
      #expect(isAnswer(read, to: request))
    }
  }

  /// Whether a device can take the answer to be one to its request.
  private func isAnswer(_ response: CloudResponse, to request: CloudRequest) -> Bool {
    switch (response, request) {
    case (.failure, _): true
    case (.zones, .listZones), (.subscriptions, .listSubscriptions): true
    case (.zones(let results), .lookupZones(let zones)): results.count == zones.count
    case (.zones(let results), .modifyZones(let operations)): results.count == operations.count
    case (.records(let results), .modifyRecords(let batch)): results.count == batch.operations.count
    case (.atomicFailure(let results), .modifyRecords(let batch)): results.count == batch.operations.count
    case (.records(let results), .lookupRecords(_, let names)): results.count == names.count
    case (.queries(let results), .queryRecords(let queries)): results.count == queries.count
    case (.uploads, .createUploads), (.assets, .rereferenceAssets): true
    case (.databaseChanges, .fetchDatabaseChanges): true
    case (.zoneChanges(let results), .fetchZoneChanges(let queries)): results.count == queries.count
    case (.subscriptions(let results), .lookupSubscriptions(let ids)): results.count == ids.count
    case (.subscriptions(let results), .modifySubscriptions(let operations)): results.count == operations.count
    case (.users(let results), .fetchUsers(.caller)): results.count == 1
    case (.users, .fetchUsers(.discover)): true
    case (.users(let results), .fetchUsers(.lookup(let lookups))): results.count == lookups.count
    case (.shares(let results), .resolveShares(let asked)), (.shares(let results), .acceptShares(let asked)):
      results.count == asked.count
    case (.pushToken, .createPushToken), (.pushToken, .registerPushToken): true
    default: false
    }
  }

  /// The bytes with a few of them, or a few values, replaced, taken away or put in.
  private func changed(_ bytes: [UInt8], _ samples: inout CloudKitSamples) -> [UInt8] {
    var bytes = bytes
    if samples.flip(), let json = try? JSON(parsing: bytes) { bytes = changed(json, &samples).bytes() }
    for _ in 0..<samples.int(0...2) {
      let place = samples.int(0...bytes.count)
      switch samples.int(0...3) {
      case 0: bytes.insert(UInt8.random(in: 0...255, using: &samples.random), at: place)
      case 1 where place < bytes.count: bytes.remove(at: place)
      case 2 where place < bytes.count: bytes[place] = samples.one(of: [UInt8]("{}[],:\"0a\\".utf8))
      default: if samples.int(0...9) == 0 { bytes.removeSubrange(place...) }
      }
    }
    return bytes
  }

  private func changed(_ json: JSON, _ samples: inout CloudKitSamples) -> JSON {
    if samples.int(0...9) == 0 {
      return samples.one(of: [.null, true, 0, -1, 1.5, "", "x", [], [:], ["recordName": ""], ["value": [[]]]])
    }
    switch json {
    case .array(let elements): return .array(elements.map { changed($0, &samples) })
    case .object(let members): return .object(members.map { JSON.Member($0.key, changed($0.value, &samples)) })
    case .null, .bool, .integer, .number, .string, .verbatim: return json
    }
  }

  @Test(arguments: 0..<20)
  func `random paths lead somewhere or nowhere`(seed: UInt64) {
    var samples = CloudKitSamples(seed: seed)
    let parts = [
      "database", "device", "1", "c", "%", "%41", "development", "private", "zones", "list", "tokens", "create", "",
      "é",
    ]
    for _ in 0..<500 {
      let path = samples.some(0...9) { "/" + $0.one(of: parts) }.joined()
      do throws(RequestFailure) {
        let route = try Route(method: "POST", path: path)
        #expect(path.hasSuffix(route.endpoint.rawValue))
      } catch {
        #expect(error != .notFound(""))
      }
    }
  }
}
