import Testing
import ZoneKitStorage

@Suite struct SystemGeneratorTests {
  @Test func `neither a copy nor a second generator repeats a number`() {
    var first = SystemGenerator()
    var copy = first
    var second = SystemGenerator()
    let numbers = (0..<1_000).flatMap { _ in [first.next(), copy.next(), second.next()] }
    #expect(Set(numbers).count == numbers.count)
  }

  @Test func `sets every bit now and then`() {
    var generator = SystemGenerator()
    let numbers = (0..<200).map { _ in generator.next() }
    #expect(numbers.reduce(0, |) == .max)
    #expect(numbers.reduce(.max, &) == 0)
  }

  @Test func `has a size, which ThreadSanitizer needs`() {
    #expect(MemoryLayout<SystemGenerator>.size > 0)
  }
}
