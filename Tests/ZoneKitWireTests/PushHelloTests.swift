import ZoneKitRecords
import Testing
import ZoneKitWire

@Suite struct PushHelloTests {
  @Test(arguments: [
    (#"{"hello":{"token":"dG9rZW4=","device":"A"}}"#, PushHello.token("dG9rZW4=", device: "A")),
    (
      #"{"hello":{"user":"nanny","device":"d7"}}"#,
      .watch(user: "nanny", device: "d7", container: nil, environment: nil)
    ),
    (#"{"hello":{"user":"nanny"}}"#, .watch(user: "nanny", device: nil, container: nil, environment: nil)),
    (
      #"{"hello":{"user":"nanny","device":"d7","container":"iCloud.x","environment":"production"}}"#,
      .watch(user: "nanny", device: "d7", container: "iCloud.x", environment: .production)
    ),
  ])
  func `a hello has one line`(line: String, hello: PushHello) throws {
    #expect(String(decoding: hello.line, as: UTF8.self) == line + "\n")
    #expect(try PushHello(line: ArraySlice(line.utf8)) == hello)
  }

  @Test func `space, other keys and null are no obstacle`() throws {
    let line = #" { "later": 1, "hello": { "user": "nanny", "device": null, "v": [2] } } "#
    #expect(
      try PushHello(line: ArraySlice(line.utf8))
        == .watch(user: "nanny", device: nil, container: nil, environment: nil))
  }

  @Test(arguments: [
    ("", "expected a line with one JSON object: at byte 0, expected a value, found the end"),
    ("hello", "expected a line with one JSON object: at byte 0, expected a value, found 'h'"),
    ("[1]", "expected a line with one JSON object, found an array"),
    ("{}", #"expected a hello as in {"hello":{"token":"…","device":"…"}}, found no member "hello""#),
    (#"{"hello":"A"}"#, #"expected "hello" to be an object, found a string"#),
    (#"{"hello":{}}"#, #"expected "token" or "user" in "hello", found neither"#),
    (#"{"hello":{"token":"t","user":"u"}}"#, #"expected "token" or "user" in "hello", found both"#),
    (#"{"hello":{"token":"t"}}"#, #"expected "device" beside "token" in "hello", found none"#),
    (#"{"hello":{"token":7}}"#, #"expected "token" in "hello" to be a string, found an integer"#),
    (#"{"hello":{"user":""}}"#, #"expected "user" in "hello" to have 1 to 255 characters, found 0"#),
  ])
  func `an error names what is wrong`(line: String, message: String) {
    #expect(throws: PushLineError(message)) { try PushHello(line: ArraySlice(line.utf8)) }
  }

  @Test(arguments: [255, 256])
  func `a name in a hello has at most 255 characters`(length: Int) {
    let user = String(repeating: "é", count: length)
    let hello = PushHello.watch(user: Name(user), device: nil, container: nil, environment: nil)
    let read = try? PushHello(line: ArraySlice(hello.line))
    #expect(read == (length == 255 ? hello : nil))
  }
}
