/// A kind of feeding.
package enum FeedingType: String, CaseIterable, Hashable, Sendable {
  case bottle
  case leftBreast
  case rightBreast
  case meal
}
