import Testing

@testable import ZoneKitEventLoop

@Suite struct `sockets of a service manager` {
  private func passing(_ variables: [String: String]) -> SocketPassing {
    SocketPassing(process: 7) { variables[$0] }
  }

  @Test func `have their names and are counted from the third descriptor`() throws {
    let passing = passing(["LISTEN_PID": "7", "LISTEN_FDS": "2", "LISTEN_FDNAMES": "http:push"])
    #expect(try passing.descriptor(named: "http") == 3)
    #expect(try passing.descriptor(named: "push") == 4)
  }

  @Test(arguments: [
    ["LISTEN_PID": "8", "LISTEN_FDS": "1"], ["LISTEN_FDS": "1"], ["LISTEN_PID": "7", "LISTEN_FDS": "0"],
    ["LISTEN_PID": "7", "LISTEN_FDS": "-1"], ["LISTEN_PID": "7", "LISTEN_FDS": "x"], [:],
  ])
  func `are none for another process and without a number`(variables: [String: String]) {
    #expect(passing(variables).names == [])
  }

  @Test func `without a name are called unknown`() throws {
    let passing = passing(["LISTEN_PID": "7", "LISTEN_FDS": "3", "LISTEN_FDNAMES": "http:"])
    #expect(passing.names == ["http", "unknown", "unknown"])
  }

  @Test func `are named in the error about one that is not there`() {
    let passing = passing(["LISTEN_PID": "7", "LISTEN_FDS": "2", "LISTEN_FDNAMES": "a:b"])
    let error = #expect(throws: AddressError.self) { try passing.descriptor(named: "http") }
    #expect(error?.description.contains("with the sockets a, b") == true)
    #expect(error?.description.contains("FileDescriptorName=http") == true)
  }

  @Test func `of the same name are refused, because one address is asked for`() {
    let passing = passing(["LISTEN_PID": "7", "LISTEN_FDS": "2", "LISTEN_FDNAMES": "a:a"])
    let error = #expect(throws: AddressError.self) { try passing.descriptor(named: "a") }
    #expect(error?.description.contains("2 sockets have that name") == true)
  }
}

@Suite struct `the socket of a service manager` {
  private func socket(_ variables: [String: String]) -> NotifySocket? {
    NotifySocket(process: 7) { variables[$0] }
  }

  @Test(arguments: ["", "/", "@", "relative", "vsock:2:1", "/" + String(repeating: "a", count: 107)])
  func `is none for a name that is neither a path nor abstract`(name: String) {
    #expect(socket(["NOTIFY_SOCKET": name]) == nil)
  }

  @Test func `has the time of the watchdog if it is meant for this process`() {
    let base = ["NOTIFY_SOCKET": "/run/a", "WATCHDOG_USEC": "30000000"]
    #expect(socket(base)?.watchdog == 30_000)
    #expect(socket(base.merging(["WATCHDOG_PID": "7"]) { $1 })?.watchdog == 30_000)
    #expect(socket(base.merging(["WATCHDOG_PID": "8"]) { $1 })?.watchdog == nil)
    #expect(socket(["NOTIFY_SOCKET": "/run/a"])?.watchdog == nil)
  }
}
