import Testing
import ZoneKitWire

@Suite struct PushLineReaderTests {
  private func lines(_ chunks: [String], limit: Int = 8) throws -> [String] {
    var reader = LineReader(limit: limit)
    var lines: [String] = []
    for chunk in chunks {
      reader.append(chunk.utf8)
      while let line = try reader.next() { lines.append(String(decoding: line, as: UTF8.self)) }
    }
    return lines
  }

  @Test(arguments: [
    (["one\ntwo\n"], ["one", "two"]), (["o", "n", "e", "\n", "two"], ["one"]), (["one\r\ntwo\r\n"], ["one", "two"]),
    (["one\r", "\ntwo\n"], ["one", "two"]), (["\n\r\n\n", "one\n\n"], ["one"]), (["a\rb\n"], ["a\rb"]), ([""], []),
    (["12345678\n"], ["12345678"]), (["12345678\r\n"], ["12345678"]), (["12345678\r", "\n1\n"], ["12345678", "1"]),
  ])
  func `lines are split independent of chunks`(chunks: [String], expected: [String]) throws {
    #expect(try lines(chunks) == expected)
    #expect(try lines(chunks.joined().utf8.map { String(Unicode.Scalar($0)) }) == expected)
  }

  @Test(arguments: [["123456789\n"], ["12345678", "9"], ["1\n123456789"], ["12345678\r", "1"], ["12345678\r\r\n"]])
  func `a line over the limit is an error as soon as it is known`(chunks: [String]) {
    #expect(throws: PushLineError("expected a line of at most 8 bytes, found a longer one")) { try lines(chunks) }
  }

  @Test func `lines before the one that is too long are read, those after it never`() throws {
    var reader = LineReader(limit: 8)
    reader.append("1\n123456789\n2\n".utf8)
    #expect(try reader.next().map { Array($0) } == [0x31])
    #expect(throws: PushLineError.self) { try reader.next() }
    reader.append("3\n".utf8)
    #expect(throws: PushLineError.self) { try reader.next() }
  }

  @Test(arguments: [8192, 8193])
  func `a line of the push socket has at most 8 KiB`(length: Int) {
    var reader = LineReader()
    reader.append([UInt8](repeating: 0x61, count: length) + [0x0A])
    let line = try? reader.next()
    #expect(line?.count == (length == 8192 ? 8192 : nil))
  }
}
