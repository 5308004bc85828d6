/// How much of a turn a request takes. Other clients wait for the end of the turn.
package struct TurnCost: Hashable, Sendable {
  /// The number of bytes that are read or answered in the time of one change.
  package static let changeBytes = 8 << 10

  /// The approximate size of the answer, in bytes.
  package var answerBytes: Int
  /// The bytes of records that were read from the store.
  package var readBytes: Int
  /// The number of records and tombstones to write.
  package var changes: Int

  /// The cost of a request that answers, reads and changes that much.
  package init(answerBytes: Int = 0, readBytes: Int = 0, changes: Int = 0) {
    self.answerBytes = answerBytes
    self.readBytes = readBytes
    self.changes = changes
  }

  /// All work of the request, in bytes: a request that reads much and answers little makes others wait, too.
  package var work: Int { answerBytes + readBytes + changes * Self.changeBytes }

  /// Adds the cost of another request.
  package static func += (sum: inout TurnCost, other: TurnCost) {
    sum.answerBytes += other.answerBytes
    sum.readBytes += other.readBytes
    sum.changes += other.changes
  }
}
