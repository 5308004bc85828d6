import ZoneKitEventLoop
import ZoneKitRecords
import Testing

@Suite struct AddressTests {
  @Test(arguments: [
    ("127.0.0.1:7440", Address.tcp(host: "127.0.0.1", port: 7440)),
    ("0.0.0.0:0", .tcp(host: "0.0.0.0", port: 0)),
    ("localhost:65535", .tcp(host: "localhost", port: 65535)),
    ("my-host.example_1.org:80", .tcp(host: "my-host.example_1.org", port: 80)),
    ("[::1]:7440", .tcp(host: "::1", port: 7440)),
    ("[::]:1", .tcp(host: "::", port: 1)),
    ("unix:/tmp/a b:c.sock", .unix(path: "/tmp/a b:c.sock")),
    ("unix:relative", .unix(path: "relative")),
  ])
  func `an address is read and printed back`(text: String, address: Address) throws {
    #expect(try Address(parsing: text) == address)
    #expect(address.description == text)
  }

  @Test(arguments: [
    ("", "write host:port"),
    ("localhost", "write host:port"),
    (":7440", "the host is missing, write 127.0.0.1:7440"),
    ("host:", "port \"\" is not a number from 0 to 65535"),
    ("host:65536", "port \"65536\" is not a number"),
    ("host:-1", "port \"-1\" is not a number"),
    ("host:+1", "port \"+1\" is not a number"),
    ("::1:7440", "in brackets, write [::1]:port"),
    ("[::g]:7440", "\"::g\" is not an IPv6 address"),
    ("[127.0.0.1]:7440", "is not an IPv6 address"),
    ("127.0.0.256:1", "\"127.0.0.256\" is not an IPv4 address"),
    ("127.1:1", "is not an IPv4 address"),
    ("http://host:1", "in brackets"),
    ("ho st:1", "a host name has at most 253"),
    ("hö:1", "a host name has at most 253"),
    ("unix:", "the path is missing"),
    ("unix:/a\0b", "NUL"),
  ])
  func `a text that is no address is refused with what would be right`(text: String, hint: String) {
    let error = #expect(throws: AddressError.self) { try Address(parsing: text) }
    #expect(error?.text == text)
    #expect(error?.problem.contains(hint) == true, "\(error?.description ?? "")")
  }

  @Test func `a path of 107 bytes is taken and one of 108 refused with the limit`() throws {
    let longest = "/" + String(repeating: "é", count: 53)
    #expect(try Address(parsing: "unix:" + longest) == .unix(path: longest))
    let error = #expect(throws: AddressError.self) { try Address(parsing: "unix:" + longest + "x") }
    #expect(error?.problem == "its path has 108 bytes, a Unix socket's path has at most 107")
  }

  @Test func `a host name of 253 bytes is taken and one of 254 refused`() throws {
    let longest = String(repeating: "a", count: 253)
    #expect(try Address(parsing: longest + ":1") == .tcp(host: longest, port: 1))
    #expect(throws: AddressError.self) { try Address(parsing: longest + "a:1") }
  }

  @Test(arguments: [
    ("127.0.0.1:1", true), ("127.9.9.9:1", true), ("[::1]:1", true), ("LocalHost:1", true), ("unix:/a", true),
    ("0.0.0.0:1", false), ("[::]:1", false), ("[1::1]:1", false), ("10.0.0.1:1", false), ("127.example.org:1", false),
  ])
  func `only an address that nobody outside can reach is loopback`(text: String, isLoopback: Bool) throws {
    #expect(try Address(parsing: text).isLoopback == isLoopback)
  }

  @Test func `reading is total on random bytes, and what is read prints back`() {
    var seed = SplitMix64(seed: 1)
    let letters = Array("aZ09:[].-_/\0é unix".unicodeScalars)
    for _ in 0..<20_000 {
      let count = Int.random(in: 0...12, using: &seed)
      let text = String(String.UnicodeScalarView((0..<count).map { _ in letters.randomElement(using: &seed)! }))
      guard let address = try? Address(parsing: text) else { continue }
      #expect((try? Address(parsing: address.description)) == address, "\(text)")
    }
  }
}
