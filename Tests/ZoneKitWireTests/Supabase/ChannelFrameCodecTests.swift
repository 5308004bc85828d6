import Testing
import ZoneKitRecords
import ZoneKitTables
import ZoneKitWire

struct ChannelFrameCodecTests {
  private let join = ChannelFrame(
    joinRef: "1", ref: "2", topic: "realtime:user-sync-U", event: "phx_join", payload: ["a": 1])

  private func text(_ bytes: [UInt8]) -> String { String(decoding: bytes, as: UTF8.self) }

  @Test func `a server's message of the first version has four members, and null for no reference`() {
    let codec = ChannelFrameCodec(.first)
    #expect(
      text(codec.serverText(of: join))
        == #"{"topic":"realtime:user-sync-U","event":"phx_join","payload":{"a":1},"ref":"2"}"#)
    let push = ChannelFrame(topic: "t", event: "system", payload: .object([]))
    #expect(text(codec.serverText(of: push)) == #"{"topic":"t","event":"system","payload":{},"ref":null}"#)
  }

  @Test func `a message of the second version is an array of five`() {
    let codec = ChannelFrameCodec(.second)
    #expect(text(codec.serverText(of: join)) == #"["1","2","realtime:user-sync-U","phx_join",{"a":1}]"#)
    let push = ChannelFrame(topic: "t", event: "system", payload: .object([]))
    #expect(text(codec.serverText(of: push)) == #"[null,null,"t","system",{}]"#)
  }

  @Test(arguments: ChannelVersion.allCases)
  func `a client's message is read as it was written`(version: ChannelVersion) {
    let codec = ChannelFrameCodec(version)
    #expect(codec.frame(of: codec.clientText(of: join)) == join)
    let heartbeat = ChannelFrame(topic: ChannelFrame.socketTopic, event: "heartbeat", payload: .object([]))
    #expect(codec.frame(of: codec.clientText(of: heartbeat)) == heartbeat)
  }

  @Test func `references may be numbers, and a missing payload is an empty object`() throws {
    let first = ChannelFrameCodec(.first).frame(of: Array(#"{"topic":"t","event":"e","ref":7,"join_ref":3}"#.utf8))
    #expect(first == ChannelFrame(joinRef: "3", ref: "7", topic: "t", event: "e", payload: .object([])))
    let second = ChannelFrameCodec(.second).frame(of: Array(#"[3,7,"t","e",null]"#.utf8))
    #expect(second == ChannelFrame(joinRef: "3", ref: "7", topic: "t", event: "e", payload: .null))
  }

  @Test(arguments: [
    "", "x", "null", "7", #""a""#, "[]", "{}", #"{"topic":"t"}"#, #"{"event":"e"}"#, #"{"topic":1,"event":"e"}"#,
    #"[null,null,"t","e"]"#, #"[null,null,"t","e",{},1]"#, #"[null,null,3,"e",{}]"#, #"[null,null,"t",null,{}]"#,
  ])
  func `other texts are no messages`(text: String) {
    for version in ChannelVersion.allCases { #expect(ChannelFrameCodec(version).frame(of: Array(text.utf8)) == nil) }
  }

  @Test func `no bytes make the reader fail`() {
    var generator = SplitMix64(seed: 5)
    for version in ChannelVersion.allCases {
      let codec = ChannelFrameCodec(version)
      let valid = codec.clientText(of: join)
      for _ in 0..<2_000 {
        var bytes = valid
        for _ in 0..<Int.random(in: 1...4, using: &generator) {
          bytes[Int.random(in: 0..<bytes.count, using: &generator)] = .random(in: .min ... .max, using: &generator)
        }
        bytes = Array(bytes.prefix(Int.random(in: 0...bytes.count, using: &generator)))
        if let frame = codec.frame(of: bytes) { #expect(codec.frame(of: codec.clientText(of: frame)) == frame) }
      }
    }
  }

  // MARK: Binary messages

  /// A client's binary broadcast: the lengths of its parts, what its content is, the parts, the content.
  private func broadcast(_ parts: [String], _ encoding: UInt8, _ content: String) -> [UInt8] {
    [3] + parts.map { UInt8($0.utf8.count) } + [encoding] + parts.flatMap { Array($0.utf8) } + Array(content.utf8)
  }

  private let parts = ["1", "2", "realtime:ü", "shout", "{}"]

  @Test func `a binary broadcast with JSON is read as the same broadcast in a text`() {
    let frame = ChannelFrameCodec(.second).frame(ofBinary: broadcast(parts, 1, #"{"a":1}"#))
    let text = ##"["1","2","realtime:ü","broadcast",{"type":"broadcast","event":"shout","payload":{"a":1}}]"##
    #expect(frame == ChannelFrameCodec(.second).frame(of: Array(text.utf8)))
    let without = ChannelFrameCodec(.second).frame(ofBinary: broadcast(["", "", "t", "", ""], 1, "7"))
    #expect(
      without
        == ChannelFrame(topic: "t", event: "broadcast", payload: ["type": "broadcast", "event": "", "payload": 7]))
  }

  @Test func `a binary broadcast with bytes is passed to clients of the second version only`() throws {
    var frame = try #require(ChannelFrameCodec(.second).frame(ofBinary: broadcast(parts, 0, "\u{0}b")))
    #expect(frame.content == [0, 0x62])
    (frame.joinRef, frame.ref) = (nil, nil)
    let expected: [UInt8] = [4, 11, 5, 0, 0] + Array("realtime:üshout".utf8) + [0, 0x62]
    #expect(ChannelFrameCodec(.second).serverMessage(of: frame) == ChannelMessage(binary: expected))
    #expect(ChannelFrameCodec(.first).serverMessage(of: frame) == nil)
  }

  @Test func `other bytes are no broadcast`() {
    let codec = ChannelFrameCodec(.second)
    let valid = broadcast(parts, 1, "{}")
    for length in 0..<valid.count { #expect(codec.frame(ofBinary: Array(valid.prefix(length))) == nil) }
    #expect(codec.frame(ofBinary: broadcast(parts, 2, "{}")) == nil)
    #expect(codec.frame(ofBinary: broadcast(parts, 1, "{")) == nil)
    #expect(codec.frame(ofBinary: [4] + valid.dropFirst()) == nil)
    #expect(ChannelFrameCodec(.first).frame(ofBinary: valid) == nil)
  }

  @Test func `the vendor's client writes one byte for each character`() {
    let bytes: [UInt8] = [3, 0, 0, 2, 1, 0, 1, 0x74, 0xFC, 0xE9] + Array("{}".utf8)
    let frame = ChannelFrameCodec(.second).frame(ofBinary: bytes)
    #expect(frame?.topic == "tü")
    #expect(frame?.payload["event"] == "é")
  }
}
