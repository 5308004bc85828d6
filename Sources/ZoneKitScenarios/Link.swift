/// A device's link to the cloud and to the push service, each way on its own.
package struct Link: Hashable, Sendable {
  /// From the device: requests and hellos.
  package var up = LinkConditions()
  /// To the device: answers.
  package var down = LinkConditions()
  /// To the device: pushes.
  package var push = LinkConditions()
  /// How many of a thousand losses the device notices at once, as by a connection that is reset. The others it does not
  /// notice.
  package var toldLosses = 500

  /// A link that works.
  package init() {}
}
