import ZoneKitRecords
import ZoneKitWire

/// The lines of the push socket: the same for every cut of the bytes, and what was read is the same after it was written.
enum PushProperties {
  /// Checks the properties for a stream.
  static func check(_ bytes: [UInt8]) throws {
    let lines = lines(of: bytes, pieces: max(bytes.count, 1))
    for size in [1, 5] {
      let others = Self.lines(of: bytes, pieces: size)
      try Violation.unless(others == lines, "cut in pieces of \(size) bytes it is \(others), and whole \(lines)")
    }
    for line in lines {
      guard let line else { continue }
      if let hello = try? PushHello(line: line[...]) {
        let again = try PushHello(line: hello.line.dropLast())
        try Violation.unless(again == hello, "written and read again it is \(again), not \(hello)")
      }
      if let read = try? PushLine(line: line[...]) {
        let again = try PushLine(line: read.line.dropLast())
        try Violation.unless(again == read, "written and read again it is \(again), not \(read)")
      }
    }
  }

  /// The lines; nil at the end for one that is too long.
  private static func lines(of bytes: [UInt8], pieces size: Int) -> [[UInt8]?] {
    var reader = LineReader()
    var lines: [[UInt8]?] = []
    for start in stride(from: 0, to: bytes.count, by: size) {
      reader.append(bytes[start..<min(start + size, bytes.count)])
      do throws(PushLineError) {
        while let line = try reader.next() { lines.append(Array(line)) }
      } catch {
        return lines + [nil]
      }
    }
    return lines
  }
}
