import ZoneKitRecords
import Testing

@Suite struct JSONPropertyTests {
  @Test(arguments: 0..<20)
  func `a tree comes back from every style`(seed: UInt64) throws {
    var random = SplitMix64(seed: seed)
    for _ in 0..<50 {
      let tree = randomTree(depth: 5, &random)
      #expect(try JSON(parsing: tree.bytes()) == tree)
      #expect(try JSON(parsing: tree.bytes(.pretty)) == tree)
      let canonical = tree.bytes(.canonical)
      #expect(try JSON(parsing: canonical).bytes(.canonical) == canonical)
      #expect(try JSON(parsing: tree.bytes(.pretty)).bytes() == tree.bytes())
    }
  }

  @Test(arguments: 0..<20)
  func `the order of members does not change the canonical text`(seed: UInt64) throws {
    var random = SplitMix64(seed: seed)
    for _ in 0..<20 {
      let members = (0..<8).map { JSON.Member("\($0)-\(randomText(&random))", randomTree(depth: 2, &random)) }
      let shuffled = members.shuffled(using: &random)
      #expect(JSON.object(members).bytes(.canonical) == JSON.object(shuffled).bytes(.canonical))
    }
  }

  @Test(arguments: 0..<20)
  func `any bits of a Double come back`(seed: UInt64) throws {
    var random = SplitMix64(seed: seed)
    for _ in 0..<500 {
      let number = Double(bitPattern: random.next())
      guard number.isFinite else { continue }
      #expect(try JSON(parsing: JSON.number(number).text()).number?.bitPattern == number.bitPattern)
    }
  }

  @Test(arguments: 0..<20)
  func `short decimals are read as the standard library reads them`(seed: UInt64) throws {
    var random = SplitMix64(seed: seed)
    for _ in 0..<500 {
      let digits = Int64(random.next() >> UInt64.random(in: 1...60, using: &random))
      let text = "\(digits).\(UInt32(truncatingIfNeeded: random.next()))e\(Int.random(in: -40...40, using: &random))"
      #expect(try JSON(parsing: text).number == Double(text))
    }
  }

  @Test func `every prefix of a document is an error`() throws {
    let text = #" {"a":[1.5e+3,-7,"x\u00e9\ud83d\ude42é\n",true,false,null,{}],"b":{"c":[]}}"#
    let bytes = [UInt8](text.utf8)
    _ = try JSON(parsing: bytes)
    for length in 0..<bytes.count {
      let error = #expect(throws: JSONError.self) { try JSON(parsing: bytes[..<length]) }
      #expect(error.map { $0.offset <= length } == true)
    }
  }

  @Test(arguments: 0..<10)
  func `random bytes give a value or an error`(seed: UInt64) {
    var random = SplitMix64(seed: seed)
    let alphabet = [UInt8]("{}[]\",:\\u0123456789abcdefDd-+.eE trufalsn\n".utf8)
    for _ in 0..<1_000 {
      let length = Int.random(in: 0...24, using: &random)
      let bytes = (0..<length).map { _ in
        random.next() % 8 == 0 ? UInt8(truncatingIfNeeded: random.next()) : alphabet.randomElement(using: &random) ?? 0
      }
      expectTotal(bytes)
    }
  }

  @Test(arguments: 0..<10)
  func `a document with a few bytes changed gives a value or an error`(seed: UInt64) {
    var random = SplitMix64(seed: seed)
    for _ in 0..<1_000 {
      var bytes = randomTree(depth: 4, &random).bytes()
      for _ in 0..<Int.random(in: 1...3, using: &random) where !bytes.isEmpty {
        let place = Int.random(in: 0..<bytes.count, using: &random)
        switch random.next() % 3 {
        case 0: bytes[place] = UInt8(truncatingIfNeeded: random.next())
        case 1: bytes.remove(at: place)
        default: bytes.insert(bytes[Int.random(in: 0..<bytes.count, using: &random)], at: place)
        }
      }
      expectTotal(bytes)
    }
  }

  /// What is accepted must be UTF-8 and mean the same when it is written and read again.
  private func expectTotal(_ bytes: [UInt8]) {
    do {
      let value = try JSON(parsing: bytes)
      #expect(String(validating: bytes, as: UTF8.self) != nil)
      #expect(try JSON(parsing: value.bytes()) == value)
    } catch {
      #expect((0...bytes.count).contains(error.offset), "\(error)")
    }
  }

  private func randomTree(depth: Int, _ random: inout SplitMix64) -> JSON {
    switch random.next() % (depth > 0 ? 10 : 7) {
    case 0: return .null
    case 1: return .bool(random.next() % 2 == 0)
    case 2: return .integer(Int64(truncatingIfNeeded: random.next()) >> Int64.random(in: 0...60, using: &random))
    case 3:
      let number = Double(bitPattern: random.next())
      return .number(number.isFinite ? number : 0.5)
    case 4: return .number(Double(Int64.random(in: -1_000...1_000, using: &random)) / 8)
    case 5, 6: return .string(randomText(&random))
    case 7, 8: return .array((0..<random.next() % 5).map { _ in randomTree(depth: depth - 1, &random) })
    default:
      return .object(
        (0..<random.next() % 5).map { _ in .init(randomText(&random), randomTree(depth: depth - 1, &random)) })
    }
  }

  private func randomText(_ random: inout SplitMix64) -> String {
    let characters = [
      "a", "Z", "0", " ", "\"", "\\", "/", "\n", "\0", "\u{1F}", "é", "e\u{301}", "€", "🙂", "\u{10FFFF}",
    ]
    return (0..<random.next() % 20).map { _ in characters.randomElement(using: &random) ?? "" }.joined()
  }
}
