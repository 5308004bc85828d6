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

  /// The values of its sentence by the labels of the slots.
  var values: SlotValues {
    switch self {
    case .fault(let trouble): trouble.values
    case .replay(let device), .flow(let device), .tokenDies(let device): ["device": .name(device)]
    case .stray(let device, let name), .strayAccount(let device, let name):
      ["device": .name(device), "name": .name(name)]
    case .gatewayRestarts: [:]
    }
  }
}
