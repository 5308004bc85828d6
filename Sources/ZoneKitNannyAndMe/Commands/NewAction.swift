import ZoneKitDeviceHost

/// The new action of a `log` or `start` command.
package struct NewAction: Hashable, Sendable {
  /// The category and its details.
  package var kind: ActionKind
  /// The start; nil for the time of `until`, or now.
  package var at: TimeWord?
  /// The end; nil for the same time as the start. `start` never sets it.
  package var until: TimeWord?
  /// The volume in millilitres; only for a bottle.
  package var volume: Int64?
  /// The content; only for a bottle.
  package var bottleType: BottleType?

  /// A new action of that kind without further details.
  package init(_ kind: ActionKind) { self.kind = kind }
}
