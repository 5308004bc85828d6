import ZoneKitRecords

/// A request that faults hit: the part that reaches the cloud, and the answer that reaches the device.
///
/// A driver hands `request` to the cloud `applications` times, reads feeds with `visibleDelayMilliseconds`, takes what
/// `answer` makes of the last response, and lets it leave `delayMilliseconds` later.
package struct FaultyExchange: Hashable, Sendable {
  /// The request as it was sent.
  package let asked: CloudRequest
  /// The numbers of the faults that hit it, in the plan's order.
  package private(set) var faults: [Int] = []
  /// How many times the request reaches the cloud: 0, 1 or 2.
  package private(set) var applications = 1
  /// How much later the answer leaves.
  package private(set) var delayMilliseconds: Int64 = 0
  /// How old a commit has to be for feeds to show it; nil for what the cloud's limits say.
  package private(set) var visibleDelayMilliseconds: Int64?
  /// Whether no answer ever arrives.
  package private(set) var losesAnswer = false
  /// Whether nothing more can happen to it.
  private(set) var isOver = false

  let traits: RequestTraits
  let caller: Caller
  /// What is answered instead of anything else.
  private var refusal: CloudError?
  /// What happens to single items, by their place in what was asked.
  private(set) var itemFaults: [Int: ItemFault] = [:]
  /// What is done to the pages of the answer, in order.
  private(set) var distortions: [Distortion] = []

  /// What happens to one item.
  enum ItemFault: Hashable {
    /// The item does not reach the cloud, and its result is that error.
    case refused(CloudError)
    /// The item does not reach the cloud, and its result says that it was done.
    case forgotten
    /// The item reaches the cloud as a subscription that wakes no app.
    case muted
  }

  /// What one fault does to a feed's answer.
  struct Distortion: Hashable {
    var action: FaultAction
    var scope: FaultScope
  }

  init(_ asked: CloudRequest, _ traits: RequestTraits, from caller: Caller) {
    self.asked = asked
    self.traits = traits
    self.caller = caller
  }

  /// What reaches the cloud; nil for nothing.
  package var request: CloudRequest? {
    guard applications > 0 else { return nil }
    guard !itemFaults.isEmpty else { return asked }
    // The empty batch is evaluated too: the answer that there is no such zone takes precedence.
    return isAtomicFailure ? asked.without { _ in true } : asked.muting { itemFaults[$0] == .muted }.without(isWithheld)
  }

  /// The answer to the device, given the cloud's response to the last application (nil where there was none). Nil where no
  /// answer is ever sent.
  package func answer(to response: CloudResponse?) -> CloudResponse? {
    if losesAnswer { return nil }
    if let refusal { return .failure(refusal) }
    return response.map { distorted(completed($0)) }
  }

  /// Adds the effect of a fault.
  mutating func apply(_ fault: Fault, id: Int) {
    faults.append(id)
    switch fault.action {
    case .refuse(let error): refuse(error)
    case .refuseItems(let error) where traits.items.isEmpty: refuse(error)
    case .refuseItems(let error): mark(.refused(error), fault.scope) { _ in true }
    case .loseRequest:
      applications = 0
      losesAnswer = true
      isOver = true
    case .loseAnswer: losesAnswer = true
    case .delayAnswer(let milliseconds): delayMilliseconds += milliseconds
    case .repeatRequest: applications = 2
    case .staleFeed(let milliseconds): visibleDelayMilliseconds = max(visibleDelayMilliseconds ?? 0, milliseconds)
    case .stuckToken, .listZone, .omitRecords, .doubleRecords:
      distortions.append(Distortion(action: fault.action, scope: fault.scope))
    case .forgetSubscriptions: mark(.forgotten, fault.scope, where: asked.savesSubscription)
    case .muteSubscriptions: mark(.muted, fault.scope, where: asked.savesSubscription)
    }
  }

  private mutating func refuse(_ error: CloudError) {
    applications = 0
    refusal = error
    isOver = true
  }

  /// The first fault that hits an item decides.
  private mutating func mark(_ itemFault: ItemFault, _ scope: FaultScope, where isOpen: (Int) -> Bool) {
    for (index, item) in traits.items.enumerated() where itemFaults[index] == nil && isOpen(index) {
      if scope.includes(item, of: traits.kind) { itemFaults[index] = itemFault }
    }
  }

  /// Whether an item does not reach the cloud.
  func isWithheld(_ index: Int) -> Bool {
    switch itemFaults[index] {
    case .refused, .forgotten: true
    case .muted, nil: false
    }
  }

  /// Whether a refused record stops a batch that is all or nothing; the default zone knows no such batch.
  var isAtomicFailure: Bool {
    guard let batch = asked.batch, batch.isAtomic, !batch.zoneID.zoneName.isDefaultZone else {
      return false
    }
    return !itemFaults.isEmpty
  }
}
