import ZoneKitScenarios

/// A device's link, each way on its own.
public struct Link: Hashable, Sendable {
  /// What one way of a link does to what goes over it.
  public struct Way: Hashable, Sendable {
    /// How long anything takes; drawn evenly for each thing.
    public var delay: ClosedRange<Duration> = .milliseconds(5) ... .milliseconds(40)
    /// The share that gets lost, from 0 to 1, in steps of a thousandth.
    public var loss = 0.0
    /// The share that arrives twice, from 0 to 1.
    public var duplication = 0.0
    /// Whether a later thing may overtake an earlier one.
    public var isReordering = false
    /// Whether nothing gets through, without an error on either side.
    public var isCut = false
    /// Whether everything waits, in order, until it is false again.
    public var isClogged = false

    /// A way that loses, repeats and reorders nothing and takes 5 to 40 ms.
    public init() {}
  }

  /// Requests to the cloud.
  public var up = Way()
  /// Answers from the cloud.
  public var down = Way()
  /// Pushes.
  public var pushes = Way()

  /// A link that works.
  public init() {}

  /// A link that takes that long each way, and on each way loses so much, from 0 to 1.
  public init(delay: ClosedRange<Duration>, loss: Double = 0) {
    (up.delay, down.delay, pushes.delay) = (delay, delay, delay)
    (up.loss, down.loss, pushes.loss) = (loss, loss, loss)
  }
}

extension Link {
  init(_ link: ZoneKitScenarios.Link) {
    up = Way(link.up)
    down = Way(link.down)
    pushes = Way(link.push)
  }

  var simulated: ZoneKitScenarios.Link {
    var link = ZoneKitScenarios.Link()
    link.up = up.conditions
    link.down = down.conditions
    link.push = pushes.conditions
    return link
  }
}

extension Link.Way {
  fileprivate init(_ conditions: LinkConditions) {
    delay = .milliseconds(conditions.delay.lowerBound) ... .milliseconds(conditions.delay.upperBound)
    loss = Double(conditions.loss) / 1_000
    duplication = Double(conditions.duplication) / 1_000
    isReordering = conditions.isReordering
    isCut = conditions.isCut
    isClogged = conditions.isClogged
  }

  fileprivate var conditions: LinkConditions {
    var conditions = LinkConditions()
    conditions.delay = max(0, delay.lowerBound.milliseconds)...max(0, delay.upperBound.milliseconds)
    conditions.loss = Self.perMille(loss)
    conditions.duplication = Self.perMille(duplication)
    conditions.isReordering = isReordering
    conditions.isCut = isCut
    conditions.isClogged = isClogged
    return conditions
  }

  private static func perMille(_ share: Double) -> Int { Int((min(max(share, 0), 1) * 1_000).rounded()) }
}
