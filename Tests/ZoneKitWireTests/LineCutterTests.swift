import Testing
import ZoneKitRecords
import ZoneKitWire

@Suite struct LineCutterTests {
  private func lines(of reads: [String]) -> (lines: [String], rest: String) {
    var cutter = LineCutter()
    var lines: [String] = []
    for read in reads {
      cutter.append(read.utf8)
      while let line = cutter.next() { lines.append(String(decoding: line, as: UTF8.self)) }
    }
    return (lines, String(decoding: cutter.rest, as: UTF8.self))
  }

  @Test func `lines keep their ends, and empty lines count`() {
    let (lines, rest) = lines(of: ["a\r\n\nb", "\nc", "", "d"])
    #expect(lines == ["a\r\n", "\n", "b\n"])
    #expect(rest == "cd")
  }

  @Test func `an unfinished line can be taken out, and the next one is whole`() {
    var cutter = LineCutter()
    cutter.append("ab".utf8)
    #expect(cutter.next() == nil)
    #expect(cutter.takeRest().count == 2)
    #expect(cutter.rest.isEmpty)
    cutter.append("c\n".utf8)
    #expect(cutter.next().map { String(decoding: $0, as: UTF8.self) } == "c\n")
  }
}
