/// The content of a bottle.
package enum BottleType: String, CaseIterable, Hashable, Sendable {
  case formula
  case breastMilk
  case cowMilk
}
