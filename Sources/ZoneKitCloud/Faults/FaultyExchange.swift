import ZoneKitRecords

/// A request that faults hit: what reaches the cloud, and what the device gets as the answer.
///
/// A driver passes `request` to the cloud `applications` times, reads feeds with `visibleDelayMilliseconds`, converts
/// the last response with `answer`, and sends the result `delayMilliseconds` later.
package struct FaultyExchange: Hashable, Sendable {
  /// The original request.
  package let asked: CloudRequest
  /// The IDs of the faults that hit it, in the plan's order.
  package private(set) var faults: [Int] = []
  /// How often the request reaches the cloud: 0, 1 or 2.
  package private(set) var applications = 1
  /// The delay of the answer.
  package private(set) var delayMilliseconds: Int64 = 0
  /// The age of commits from which feeds show them; nil for the cloud's limit.
  package private(set) var visibleDelayMilliseconds: Int64?
  /// Whether no answer ever arrives.
  package private(set) var losesAnswer = false

  let traits: RequestTraits
  let caller: Caller
  /// The error that is answered instead of the response; nil for none.
  package private(set) var refusal: CloudError?
  /// The faults of single items, by index.
  private(set) var itemFaults: [Int: ItemFault] = [:]
  /// The changes of the answer's feed pages, in order.
  package private(set) var distortions: [Distortion] = []

  /// A fault of one item.
  enum ItemFault: Hashable {
    /// The item does not reach the cloud, and its result is the error.
    case refused(CloudError)
    /// The item does not reach the cloud, and its result reports success.
    case forgotten
    /// The item reaches the cloud as a subscription without silent pushes.
    case muted
  }

  /// The change that one fault makes to a feed's answer.
  package struct Distortion: Hashable, Sendable {
    /// The change.
    package var action: FaultAction
    /// The records to which it applies.
    package var scope: FaultScope
  }

  init(_ asked: CloudRequest, _ traits: RequestTraits, from caller: Caller) {
    self.asked = asked
    self.traits = traits
    self.caller = caller
  }

  /// The request that reaches the cloud; nil for none.
  package var request: CloudRequest? {
    guard applications > 0 else { return nil }
    guard !itemFaults.isEmpty else { return asked }
    // An empty batch is evaluated too, because the error for a missing zone takes precedence.
    return isAtomicFailure ? asked.without { _ in true } : asked.muting { itemFaults[$0] == .muted }.without(isWithheld)
  }

  /// The answer to the device, given the cloud's last response (nil if there was none). Nil if no answer is sent.
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
    case .loseAnswer: losesAnswer = true
    case .delayAnswer(let milliseconds): delayMilliseconds += milliseconds
    case .repeatRequest: applications = 2
    case .staleFeed(let milliseconds): visibleDelayMilliseconds = max(visibleDelayMilliseconds ?? 0, milliseconds)
    case .stuckToken, .listZone, .omitRecords, .doubleRecords:
      distortions.append(Distortion(action: fault.action, scope: fault.scope))
    case .forgetSubscriptions: mark(.forgotten, fault.scope, where: asked.savesSubscription)
    case .muteSubscriptions: mark(.muted, fault.scope, where: asked.savesSubscription)
    case .table, .push: break
    }
  }

  private mutating func refuse(_ error: CloudError) {
    applications = 0
    refusal = error
  }

  /// Sets the fault of the items in scope. The first fault of an item is kept.
  private mutating func mark(_ itemFault: ItemFault, _ scope: FaultScope, where isOpen: (Int) -> Bool) {
    for (index, item) in traits.items.enumerated() where itemFaults[index] == nil && isOpen(index) {
      if scope.includes(FaultSubject.Item(item), of: .cloud(traits.kind)) { itemFaults[index] = itemFault }
    }
  }

  /// The error with which an item is refused; nil if it is not.
  package func refusal(ofItemAt index: Int) -> CloudError? {
    if case .refused(let error)? = itemFaults[index] { error } else { nil }
  }

  /// Whether an item does not reach the cloud.
  func isWithheld(_ index: Int) -> Bool {
    switch itemFaults[index] {
    case .refused, .forgotten: true
    case .muted, nil: false
    }
  }

  /// Whether a refused record fails a whole atomic batch. The default zone has no atomic batches.
  var isAtomicFailure: Bool {
    guard let batch = asked.batch, batch.isAtomic, !batch.zoneID.zoneName.isDefaultZone else {
      return false
    }
    return !itemFaults.isEmpty
  }
}
