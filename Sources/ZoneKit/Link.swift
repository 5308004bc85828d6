import ZoneKitScenarios

/// The conditions of a device's link, for each direction.
public struct Link: Hashable, Sendable {
  /// The conditions of one direction of a link.
  public struct Way: Hashable, Sendable {
    /// The delay, drawn evenly for each message.
    public var delay: ClosedRange<Duration> = .milliseconds(5) ... .milliseconds(40)
    /// The share of messages that are lost, from 0 to 1, in steps of 0.001.
    public var loss = 0.0
    /// The share of messages that arrive twice, from 0 to 1.
    public var duplication = 0.0
    /// Whether a later message may overtake an earlier one.
    public var isReordering = false
    /// Whether all messages are lost, without an error on either side.
    public var isCut = false
    /// Whether all messages wait, in order, until it is false again.
    public var isClogged = false

    /// A direction with a delay of 5 to 40 ms, without losses, repetitions and reordering.
    public init() {}
  }

  /// Requests to the cloud.
  public var up = Way()
  /// Answers from the cloud.
  public var down = Way()
  /// Pushes.
  public var pushes = Way()

  /// A link with default conditions.
  public init() {}

  /// A link with that delay and that share of losses, from 0 to 1, in each direction.
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
