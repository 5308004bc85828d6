/// A step about pushes: what happens to them on their way, and pushes that no change made.
package enum PushStep: Hashable, Sendable {
  /// Something is done to the next pushes, or all, to a device.
  case fault(PushTrouble, FaultCount, String)
  /// `replay the last push to B`.
  case replay(String)
  /// `pushes to B flow again`.
  case flow(String)
  /// `push B for subscription "x"`: a push that nothing made, for a subscription or an account that is not B's.
  case stray(String, subscription: String)
  /// `push B for account mum`.
  case strayAccount(String, account: String)
  /// `the push token of B dies`: the service answers 410 until the device registers a new one.
  case tokenDies(String)
  /// `the gateway restarts`: what it stored stays, what it held for slow connections goes.
  case gatewayRestarts

  /// The line that reads as this.
  package var text: String {
    switch self {
    case .fault(let trouble, let count, let device):
      switch trouble {
      case .drop, .duplicate, .prune, .swap:
        "\(trouble.word) \(count.text("push", "pushes")) to \(device)"
      case .delay(let span): "delay \(count.text("push", "pushes")) to \(device) by \(span.text)"
      case .withoutID: "deliver \(count.text("push", "pushes")) to \(device) without an ID"
      case .misaddress: "deliver \(count.text("push", "pushes")) to \(device) for another subscription"
      }
    case .replay(let device): "replay the last push to \(device)"
    case .flow(let device): "pushes to \(device) flow again"
    case .stray(let device, let subscription): "push \(device) for subscription \(ScenarioWord.named(subscription))"
    case .strayAccount(let device, let account): "push \(device) for account \(ScenarioWord.named(account))"
    case .tokenDies(let device): "the push token of \(device) dies"
    case .gatewayRestarts: "the gateway restarts"
    }
  }
}

/// What happens to a push on its way.
package enum PushTrouble: Hashable, Sendable {
  case drop
  case duplicate
  /// It waits until the next one has gone.
  case swap
  /// Keys are taken away in CloudKit's order, the notification ID among them.
  case prune
  case delay(TimeSpan)
  case withoutID
  /// It names a subscription that nobody knows.
  case misaddress

  var word: String {
    switch self {
    case .drop: "drop"
    case .duplicate: "duplicate"
    case .swap: "reorder"
    case .prune: "prune"
    case .delay: "delay"
    case .withoutID, .misaddress: "deliver"
    }
  }
}
