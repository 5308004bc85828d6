/// What a diaper change found.
package enum DiaperType: String, CaseIterable, Hashable, Sendable {
  case pee
  case poo
  case both
}
