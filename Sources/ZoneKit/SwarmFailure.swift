/// A failed seed of a swarm.
public struct SwarmFailure: Error, CustomStringConvertible {
  /// The seed. The same swarm with only this seed fails again.
  public let seed: UInt64
  /// The violated invariant: which one, where and how.
  public let violation: String
  /// The steps of the shortest story that violates the same invariant. An empty story means that the final phase is
  /// sufficient, in which users edit without faults.
  public let story: [String]
  /// The timeline of that story as text, up to the violation.
  public let timelineText: String
  /// The timeline of that story as an SVG document.
  public let timelineSVG: String

  /// The seed, the violation, the steps and the timeline.
  public var description: String {
    let steps = story.isEmpty ? ["nothing goes wrong, and users edit"] : story
    let heading = ["seed \(seed): \(violation)", "the story, made as short as possible:"]
    return (heading + steps.map { "  " + $0 } + [timelineText]).joined(separator: "\n")
  }
}
