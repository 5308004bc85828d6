/// Collects the effects of one event in order: instructions to the driver, then facts. Devices with the same outcome of
/// a notification share one fact.
struct Effects {
  private struct Key: Hashable {
    var serial: UInt64
    var outcome: PushGateway.Outcome
  }

  private var actions: [PushGateway.Effect] = []
  private var facts: [PushFact] = []
  private var results: [DeliveryResult] = []
  private var places: [Key: Int] = [:]

  mutating func add(_ action: PushGateway.Effect) { actions.append(action) }

  mutating func note(_ fact: PushFact) { facts.append(fact) }

  mutating func note(_ notification: StoredNotification, _ outcome: PushGateway.Outcome, _ devices: [String]) {
    let key = Key(serial: notification.serial, outcome: outcome)
    if let place = places[key] {
      results[place].devices += devices
    } else {
      places[key] = results.count
      results.append(DeliveryResult(notification.payload, outcome, devices: devices))
    }
  }

  var all: [PushGateway.Effect] {
    actions + facts.map { .fact($0) } + results.map { .fact(.handled($0)) }
  }
}
