import Testing
import ZoneKitRecords

@testable import ZoneKitWire

@Suite struct `who may read metrics` {
  private func isRefused(
    _ fields: [(String, String)] = [], key: String? = "k", isLocal: Bool = true, withZones: Bool = false
  ) throws -> Bool {
    let lines = (fields + [("Host", "127.0.0.1:7440")]).map { "\($0.0): \($0.1)\r\n" }.joined()
    let request = try #require(Self.request("GET /metrics HTTP/1.1\r\n\(lines)\r\n"))
    return ControlAccess(key: key).refusal(ofMetrics: request, isLocal: isLocal, withZones: withZones) != nil
  }

  private static func request(_ text: String) -> HTTPRequest? {
    var reader = HTTPRequestReader()
    for event in reader.receive(Array(text.utf8)) {
      if case .request(let received) = event { return received }
    }
    return nil
  }

  @Test func `programs of this machine read sums without the key`() throws {
    #expect(try !isRefused())
  }

  @Test func `other machines need the key`() throws {
    #expect(try isRefused(isLocal: false))
    #expect(try !isRefused([("Authorization", "Bearer k")], isLocal: false))
    #expect(try !isRefused(key: nil, isLocal: false))
  }

  @Test func `names of zones and users need the key`() throws {
    #expect(try isRefused(withZones: true))
    #expect(try !isRefused([("Authorization", "Bearer k")], withZones: true))
    #expect(try !isRefused(key: nil, withZones: true))
  }

  @Test(arguments: ["Forwarded", "X-Forwarded-For", "X-Real-IP", "Via"])
  func `what a proxy passes on needs the key`(field: String) throws {
    #expect(try isRefused([(field, "192.0.2.1")]))
  }

  @Test func `web pages of other origins read nothing`() throws {
    #expect(try isRefused([("Origin", "http://evil.example")], key: nil))
  }

  @Test(arguments: [(nil, false), ("", false), ("zones=1", true)] as [(String?, Bool)])
  func `the query asks for zones`(query: String?, withZones: Bool) throws {
    let target = query.map { "/metrics?\($0)" } ?? "/metrics"
    let request = try #require(Self.request("GET \(target) HTTP/1.1\r\nHost: a\r\n\r\n"))
    #expect(try MetricsQuery(request).withZones == withZones)
  }

  @Test(arguments: ["zones", "zones=0", "zone=1", "zones=1&a=b"])
  func `another query is refused`(query: String) throws {
    let request = try #require(Self.request("GET /metrics?\(query) HTTP/1.1\r\nHost: a\r\n\r\n"))
    #expect(throws: HTTPError.self) { try MetricsQuery(request) }
  }
}
