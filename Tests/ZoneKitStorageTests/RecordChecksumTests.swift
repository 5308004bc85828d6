import Testing

@testable import ZoneKitStorage

@Suite struct `the checksum of a record` {
  private func checksum(_ bytes: [UInt8]) -> Int64 {
    var checksum = RecordChecksum()
    bytes.withUnsafeBytes { checksum.add($0) }
    return checksum.value
  }

  @Test(arguments: [1, 7, 8, 9, 16, 31])
  func `changes with every bit`(length: Int) {
    let bytes = (0..<length).map { UInt8($0) }
    var seen: Set<Int64> = [checksum(bytes)]
    for bit in 0..<length * 8 {
      var flipped = bytes
      flipped[bit / 8] ^= 1 << (bit % 8)
      #expect(seen.insert(checksum(flipped)).inserted)
    }
  }

  @Test func `depends on where one text ends and the next begins`() {
    func checksum(_ parts: [[UInt8]]) -> Int64 {
      var checksum = RecordChecksum()
      for part in parts { part.withUnsafeBytes { checksum.add($0) } }
      return checksum.value
    }
    #expect(checksum([[1, 2], [3]]) != checksum([[1], [2, 3]]))
    #expect(checksum([[0], []]) != checksum([[], [0]]))
  }
}
