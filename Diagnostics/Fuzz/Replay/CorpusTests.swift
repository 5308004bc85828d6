import Foundation
import Testing

/// The inputs that are kept for the fuzzers: examples, and what fuzzers have found.
@Suite struct `the corpora of the fuzzers` {
  private static let folder = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
    .appendingPathComponent("Corpus")

  @Test(arguments: FuzzTarget.allCases)
  func `break no property`(target: FuzzTarget) throws {
    let folder = Self.folder.appendingPathComponent(target.rawValue)
    let names = try FileManager.default.contentsOfDirectory(atPath: folder.path).sorted()
    #expect(!names.isEmpty)
    for name in names {
      let bytes = try [UInt8](Data(contentsOf: folder.appendingPathComponent(name)))
      #expect(throws: Never.self, "\(target.rawValue)/\(name)") { try target.check(bytes) }
      // Every beginning is an input too.
      for length in 0..<min(bytes.count, 200) {
        #expect(throws: Never.self, "\(length) bytes of \(target.rawValue)/\(name)") {
          try target.check(Array(bytes[..<length]))
        }
      }
    }
  }
}
