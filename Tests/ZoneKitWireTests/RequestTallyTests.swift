import Testing
import ZoneKitMetrics
import ZoneKitWire

@Suite struct `the tally of requests` {
  @Test(arguments: [
    ("POST", "/database/1/iCloud.a/development/private/records/modify", "cloudkit records/modify"),
    ("POST", "/device/1/iCloud.a/development/tokens/create", "cloudkit tokens/create"),
    ("POST", "/database/1/iCloud.a/development/private/records/query", "cloudkit records/query"),
    ("POST", "/database/1/c/development/private/internal/records/query/batch", "cloudkit internal/records/query/batch"),
    ("POST", "/database/1/c/development/private/records/nothing", "cloudkit other"),
    ("GET", "/database", "cloudkit other"), ("GET", "/rest/v1/people", "tables rest/select"),
    ("HEAD", "/rest/v1/people", "tables rest/select"), ("POST", "/rest/v1/people", "tables rest/insert"),
    ("PATCH", "/rest/v1/people", "tables rest/update"), ("DELETE", "/rest/v1/people", "tables rest/delete"),
    ("POST", "/rest/v1/rpc/f", "tables rest/rpc"), ("TRACE", "/rest/v1/people", "tables rest"),
    ("POST", "/auth/v1/token", "tables auth/token"), ("GET", "/auth/v1/nothing", "tables other"),
    ("GET", "/realtime/v1/websocket", "tables realtime"), ("PUT", "/storage/v1/object/a/b", "tables storage"),
    ("POST", "/sync/push", "documents push"), ("GET", "/sync/nothing", "documents other"),
    ("GET", "/zonekit/status", "control zonekit"), ("GET", "/metrics", "control metrics"),
    ("GET", "/health", "control health"), ("OPTIONS", "/rest/v1/people", "tables preflight"),
    ("GET", "/", "control zonekit"), ("GET", "/nowhere/at/all", "other other"), ("OPTIONS", "*", "other preflight"),
  ])
  func `knows what a request asks for by its method and path`(method: String, path: String, endpoint: String) {
    let found = RequestEndpoint.all[RequestEndpoint.number(method: method, path: path)]
    #expect("\(found.family.rawValue) \(found.name)" == endpoint)
  }

  @Test func `grows by no path`() {
    var tally = RequestTally()
    tally.count(method: "GET", path: "/nowhere", status: 404, nanoseconds: 1)
    var before = MetricText()
    tally.write(to: &before)
    for number in 0..<100 {
      tally.count(method: "GET", path: "/nowhere/\(number)", status: 404, nanoseconds: 1)
      tally.count(method: "M\(number)", path: "/\(number)", status: 404, nanoseconds: 1)
    }
    var after = MetricText()
    tally.write(to: &after)
    #expect(after.text.split(separator: "\n").count == before.text.split(separator: "\n").count)
  }

  @Test(
    arguments: [
      (101, "success"), (200, "success"), (304, "success"), (400, "client_error"), (429, "throttled"),
      (499, "client_error"), (500, "server_error"), (503, "server_error"), (nil, "dropped"),
    ] as [(Int?, String)])
  func `names the outcome by the status`(status: Int?, outcome: String) {
    #expect(RequestTally.Outcome(status: status).name == outcome)
  }

  @Test func `has each endpoint and outcome with its number, and one histogram for each endpoint`() {
    var tally = RequestTally()
    tally.count(method: "GET", path: "/sync/pull", status: 200, nanoseconds: 200_000)
    tally.count(method: "GET", path: "/sync/pull", status: 200, nanoseconds: 300_000)
    tally.count(method: "GET", path: "/sync/pull", status: nil, nanoseconds: 1)
    tally.count(method: "OPTIONS", path: "/sync/pull", status: 204, nanoseconds: 1)
    var text = MetricText()
    tally.write(to: &text)
    let lines = text.text.split(separator: "\n")
    #expect(lines.contains("zonekit_requests_total{protocol=\"documents\",endpoint=\"pull\",outcome=\"success\"} 2"))
    #expect(lines.contains("zonekit_requests_total{protocol=\"documents\",endpoint=\"pull\",outcome=\"dropped\"} 1"))
    #expect(lines.contains("zonekit_request_duration_seconds_count{protocol=\"documents\",endpoint=\"pull\"} 3"))
    #expect(tally.count(of: .documents) == 3)
    #expect(tally.count(of: .tables) == 0)
  }
}
