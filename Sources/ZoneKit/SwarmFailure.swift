/// A swarm found a seed that breaks a promise.
public struct SwarmFailure: Error, CustomStringConvertible {
  /// The seed: the same swarm with this seed alone fails again.
  public let seed: UInt64
  /// Which promise was broken, where and how.
  public let violation: String
  /// The shortest story that was found to break the same promise, step by step. An empty one means that the calm phase
  /// at the end is enough, in which users edit and there are no faults.
  public let story: [String]
  /// That story as lines: what happened up to the moment at which the promise was broken.
  public let timelineText: String
  /// That story as a picture.
  public let timelineSVG: String

  /// The seed, the broken promise, the story and what happened.
  public var description: String {
    let steps = story.isEmpty ? ["nothing goes wrong, and users edit"] : story
    let heading = ["seed \(seed): \(violation)", "the story, made as short as possible:"]
    return (heading + steps.map { "  " + $0 } + [timelineText]).joined(separator: "\n")
  }
}
