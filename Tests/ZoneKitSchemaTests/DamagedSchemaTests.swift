import Testing
import ZoneKitRecords
import ZoneKitSQL
import ZoneKitSchema
import ZoneKitSchemaFixtures

@Suite struct `damaged schemas` {
  @Test(arguments: [Samples.teams, Samples.shop, Samples.chat])
  func `end with statements or with errors`(text: String) {
    var damage = Damage(seed: 1, of: text)
    for _ in 0..<1_000 {
      let damaged = damage.next()
      switch Damage.outcome(of: damaged) {
      case nil: break
      case let complaint?: Issue.record("\(complaint): \(damaged)")
      }
    }
  }

  @Test(arguments: 0..<20 as Range<UInt64>)
  func `of the parser's tree end with statements or with problems`(seed: UInt64) throws {
    let text = Samples.teams
    let bytes = try SQLTree.parse(text).bytes()
    var generator = SplitMix64(seed: seed)
    for _ in 0..<20 {
      guard let tree = try? JSON(parsing: Damage.mutated(bytes, using: &generator)) else { continue }
      let reading = SchemaReader.read(tree, of: SchemaText(name: "schema.sql", text), SQLTree.parse)
      #expect(!reading.statements.isEmpty || !reading.problems.isEmpty)
    }
  }
}

/// Texts that are made of one by cutting, swapping and repeating bytes of one of its statements, or of all.
struct Damage {
  private let parts: [[UInt8]]
  private var generator: SplitMix64

  init(seed: UInt64, of text: String) {
    let bytes = Array(text.utf8)
    // The last byte of a line's semicolon; one inside of a function only makes other parts.
    let ends = [0] + bytes.indices.filter { bytes[$0] == UInt8(ascii: ";") }.map { $0 + 1 }
    parts = [bytes] + zip(ends, ends.dropFirst()).map { Array(bytes[$0..<$1]) }
    generator = SplitMix64(seed: seed)
  }

  /// The next text.
  mutating func next() -> String {
    let part = parts[Int.random(in: 0..<parts.count, using: &generator)]
    return String(decoding: Self.mutated(part, using: &generator), as: UTF8.self)
  }

  /// Bytes with one to four damages.
  static func mutated(_ bytes: [UInt8], using generator: inout SplitMix64) -> [UInt8] {
    var bytes = bytes
    for _ in 0..<Int.random(in: 1...4, using: &generator) where !bytes.isEmpty {
      let start = Int.random(in: 0..<bytes.count, using: &generator)
      let end = min(bytes.count, start + Int.random(in: 1...40, using: &generator))
      let part = Array(bytes[start..<end])
      let place = Int.random(in: 0..<bytes.count, using: &generator)
      switch Int.random(in: 0...4, using: &generator) {
      case 0: bytes.removeSubrange(start..<end)
      case 1: bytes.insert(contentsOf: part, at: place)
      case 2: bytes.swapAt(start, place)
      case 3: bytes[start] = UInt8.random(in: 1...255, using: &generator)
      default: bytes.replaceSubrange(place..<min(bytes.count, place + part.count), with: part)
      }
    }
    return bytes
  }

  /// What is wrong with what a text is read as; nil if nothing is.
  static func outcome(of text: String) -> String? {
    do throws(SQLError) {
      let reading = try Samples.reading(text)
      for statement in reading.statements {
        let again = try Samples.reading(statement.statement.sql)
        guard again.problems.isEmpty, again.statements.map(\.statement) == [statement.statement] else {
          return "the normal form \(statement.statement.sql) says something else: \(again.problems)"
        }
      }
      for problem in reading.problems where problem.place.map({ $0.offset > text.utf8.count }) ?? true {
        return "no place in the text: \(problem)"
      }
      return nil
    } catch {
      return error.message.isEmpty ? "an error without a message" : nil
    }
  }
}
