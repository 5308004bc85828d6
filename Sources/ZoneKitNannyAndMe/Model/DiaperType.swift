/// The content of a changed diaper.
package enum DiaperType: String, CaseIterable, Hashable, Sendable {
  case pee
  case poo
  case both
}
