/// The conditions of a device's link to the cloud and the push service, for each direction.
package struct Link: Hashable, Sendable {
  /// From the device: requests and hellos.
  package var up = LinkConditions()
  /// To the device: answers.
  package var down = LinkConditions()
  /// To the device: pushes.
  package var push = LinkConditions()
  /// How many of 1,000 losses the device notices immediately, as when a connection is reset. It does not notice the
  /// others.
  package var toldLosses = 500

  /// A link that works.
  package init() {}
}
