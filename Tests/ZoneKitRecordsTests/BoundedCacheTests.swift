import Testing
import ZoneKitRecords

@Suite struct `a bounded cache` {
  @Test func `finds values by their keys`() {
    var cache = BoundedCache<Int, String>(limit: 10)
    cache.keep("one", for: 1, size: 1)
    cache.keep("two", for: 2, size: 1)
    #expect(cache[1] == "one" && cache[2] == "two" && cache[3] == nil)
    cache.keep("other", for: 1, size: 1)
    #expect(cache[1] == "other")
  }

  @Test func `takes no more memory than two generations`() {
    var cache = BoundedCache<Int, Int>(limit: 10)
    for number in 1...30 { cache.keep(number, for: number, size: 1) }
    let left = (1...30).filter { cache[$0] != nil }
    #expect(left == Array(30 - left.count + 1...30))
    #expect((10...20).contains(left.count))
  }

  @Test func `takes the room of one value if one is kept many times`() {
    var cache = BoundedCache<Int, Int>(limit: 10)
    cache.keep(1, for: 1, size: 1)
    for number in 0..<30 { cache.keep(number, for: 2, size: 5) }
    #expect(cache[1] == 1 && cache[2] == 29)
  }
}
