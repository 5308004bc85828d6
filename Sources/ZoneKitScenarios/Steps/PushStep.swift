/// A step that acts on pushes: faults on their way, and pushes without a change.
package enum PushStep: Hashable, Sendable {
  /// A fault of the next pushes, or of all pushes, to a device.
  case fault(PushTrouble)
  /// `replay the last push to B`.
  case replay(String)
  /// `pushes to B flow again`.
  case flow(String)
  /// `push B for subscription "x"`: a push without a change, for a subscription that is not B's.
  case stray(String, subscription: String)
  /// `push B for account mum`: a push without a change, for an account that is not B's.
  case strayAccount(String, account: String)
  /// `the push token of B dies`: the service answers 410 until the device registers a new token.
  case tokenDies(String)
  /// `the gateway restarts`: it keeps its stored notifications and loses what it held for slow connections.
  case gatewayRestarts

  /// The line from which the parser makes this step.
  package var text: String {
    switch self {
    case .fault(let fault): fault.text
    case .replay(let device): "replay the last push to \(device)"
    case .flow(let device): "pushes to \(device) flow again"
    case .stray(let device, let subscription): "push \(device) for subscription \(ScenarioWord.named(subscription))"
    case .strayAccount(let device, let account): "push \(device) for account \(ScenarioWord.named(account))"
    case .tokenDies(let device): "the push token of \(device) dies"
    case .gatewayRestarts: "the gateway restarts"
    }
  }
}
