import ZoneKitRecords

/// A request that faults hit: what of it reaches the cloud, and what becomes of the answer.
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
  private(set) var fates: [Int: Fate] = [:]
  /// What is done to the pages of the answer, in order.
  private(set) var distortions: [Distortion] = []

  /// What happens to one item.
  enum Fate: Hashable {
    /// It does not reach the cloud, and has failed.
    case refused(CloudError)
    /// It does not reach the cloud, and is answered as if it had.
    case forgotten
    /// It reaches the cloud as a subscription that wakes nobody.
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
    guard !fates.isEmpty else { return asked }
    // The rest of the batch still has to be looked at: a zone that is not there is the greater trouble.
    return isAtomicFailure ? asked.without { _ in true } : asked.muting { fates[$0] == .muted }.without(isWithheld)
  }

  /// What the device is told, given the cloud's response to the last application (nil where there was none); nil for
  /// nothing, ever.
  package func answer(to response: CloudResponse?) -> CloudResponse? {
    if losesAnswer { return nil }
    if let refusal { return .failure(refusal) }
    return response.map { distorted(completed($0)) }
  }

  /// Takes in what a fault does.
  mutating func suffer(_ fault: Fault, id: Int) {
    faults.append(id)
    switch fault.action {
    case .refuse(let error): refuse(error)
    case .refuseItems(let error) where traits.items.isEmpty: refuse(error)
    case .refuseItems(let error): meet(.refused(error), fault.scope) { _ in true }
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
    case .forgetSubscriptions: meet(.forgotten, fault.scope, where: asked.savesSubscription)
    case .muteSubscriptions: meet(.muted, fault.scope, where: asked.savesSubscription)
    }
  }

  private mutating func refuse(_ error: CloudError) {
    applications = 0
    refusal = error
    isOver = true
  }

  /// The first fault that an item meets decides.
  private mutating func meet(_ fate: Fate, _ scope: FaultScope, where isOpen: (Int) -> Bool) {
    for (index, item) in traits.items.enumerated() where fates[index] == nil && isOpen(index) {
      if scope.includes(item, of: traits.kind) { fates[index] = fate }
    }
  }

  /// Whether an item does not reach the cloud.
  func isWithheld(_ index: Int) -> Bool {
    switch fates[index] {
    case .refused, .forgotten: true
    case .muted, nil: false
    }
  }

  /// Whether a refused record stops a batch that is all or nothing; the default zone knows no such batch.
  var isAtomicFailure: Bool {
    guard let batch = asked.batch, batch.isAtomic, !batch.zoneID.zoneName.isDefaultZone else {
      return false
    }
    return !fates.isEmpty
  }
}
