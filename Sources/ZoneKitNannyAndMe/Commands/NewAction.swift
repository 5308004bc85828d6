import ZoneKitDeviceHost

/// What `log` and `start` say of the action they make.
package struct NewAction: Hashable, Sendable {
  /// What it is.
  package var kind: ActionKind
  /// When it began; nil means at the time of `until`, or now.
  package var at: TimeWord?
  /// When it ended; nil means when it began. Never set by `start`.
  package var until: TimeWord?
  /// How much was drunk, in millilitres; of a bottle only.
  package var volume: Int64?
  /// What was drunk; of a bottle only.
  package var bottleType: BottleType?

  /// A new action of that kind, about which nothing else is said.
  package init(_ kind: ActionKind) { self.kind = kind }
}
