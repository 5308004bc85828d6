/// The cloud's limits that an emulator's user may choose (CloudKit Web Services, g).
package struct Limits: Hashable, Sendable {
  /// How many records may hold a DELETE_SELF reference to one record; nil for any number.
  ///
  /// The documents say 750. An app that hangs its whole log on one record, as the reference app does, could not be
  /// emulated with that, so nil is the default and 750 a choice.
  package var dependents: Int?

  /// Limits with that many DELETE_SELF references to one record.
  package init(dependents: Int? = nil) { self.dependents = dependents }
}
